import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getInvoice, newCustomer, newInvoice, REGISTERED, setClock } from "../commerce.ts";
import { entryLines, getEntry, linesOf, newPayment, times, voidInvoice } from "../money.ts";
import { openShop, paidFor, placeOrder, productLine } from "../storefront/shop.ts";
import { allPosted, unposted } from "./posted.ts";

type Posted = {
  posted: { source_type: string; source_id: string; journal_entry_id: string }[];
  left: number;
};

async function open() {
  const company = await openCompany(REGISTERED);
  await setClock(company, "2026-06-15T06:00:00Z");
  const { id } = await newCustomer(company);
  return { company, customerId: id };
}

const post = async (company: TestCompany) =>
  must(await company.call<Posted>("POST", "/ledger/:company/post-missing"), 200).body.data;
const openYear = (company: TestCompany) =>
  company.rows(
    "INSERT INTO financial_years (name, start_date, end_date) VALUES ('2000-01', '2000-04-01', '2001-03-31')",
  );

test("an invoice of a year that is not open is unposted; once it is open, ten calls at once post it once", async () => {
  const { company, customerId } = await open();
  const invoice = await newInvoice(company, customerId, { invoice_date: "2001-01-01" });
  const paid = await newPayment(company, { invoice_id: invoice.id, amount: 54, payment_date: "2001-01-02" });
  expect(await post(company)).toEqual({ posted: [], left: 2 });
  await openYear(company);
  const answers = await times(10, () => post(company));
  const posted = answers.flatMap((one) => one.posted);
  expect(posted.map(({ source_type, source_id }) => `${source_type} ${source_id}`)).toEqual([
    `invoice ${invoice.id}`,
    `payment ${paid.id}`,
  ]);
  expect(answers.map(({ left }) => left)).toContain(0);
  const entry = await company.read(`/ledger/:company/journal-entries/${posted[0]?.journal_entry_id}`);
  expect(entry).toMatchObject({
    narration: `Invoice ${invoice.invoice_number}`,
    entry_date: "2001-01-01",
    entry_number: "JV/00-01/00001",
    status: "posted",
  });
  expect(await post(company)).toEqual({ posted: [], left: 0 });
  await expectSound(company);
});

test("what waits for an account or a lock is posted once the account is active, or the lock is moved back", async () => {
  const { company, customerId } = await open();
  const early = await newInvoice(company, customerId, { invoice_date: "2001-01-01" });
  const invoice = await newInvoice(company, customerId);
  const [bank] = await company.rows("SELECT id FROM accounts WHERE system_key = 'bank'");
  const change = (is_active: boolean) =>
    company.change(`/settings/:company/accounts/${bank?.id}`, { is_active });
  const pay = (amount: number) =>
    newPayment(company, { invoice_id: invoice.id, amount, tds_amount: 1, payment_date: "2026-06-14" });
  await change(false);
  await pay(54);
  expect(await post(company)).toEqual({ posted: [], left: 2 });
  await company.change("/settings/:company/books", { locked_through: "2026-06-14" });
  await openYear(company);
  await post(company);
  expect(await unposted(company)).toEqual(["payment period_locked", "invoice period_locked"]);
  await company.change("/settings/:company/books", { locked_through: null });
  await change(true);
  await allPosted(company);
  const [late] = await company.rows(
    "SELECT entry_date, id FROM journal_entries WHERE source_type = 'payment' AND reversal_of IS NULL",
  );
  expect(late).toMatchObject({ entry_date: "2026-06-14" });
  expect(await entryLines(company, String(late?.id))).toEqual([
    "Bank Dr 54 Cr 0",
    "TDS Receivable Dr 1 Cr 0",
    "Sundry Debtors / Meera Traders Dr 0 Cr 55",
  ]);
  must(await voidInvoice(company, early.id), 200);
  await expectSound(company);
});

test("what is posted late is what would have been posted at once", async () => {
  const shop = await openShop();
  const { company } = shop;
  const items = [
    await productLine(company, { tax_rate: 18 }, 3),
    await productLine(company, { tax_rate: 5 }),
  ];
  const sell = async () =>
    (await paidFor(shop, await placeOrder(company, { items, shipping_amount: 50 }))).invoice;
  const { journal_entry_id: atOnce } = await sell();
  await company.rows("UPDATE accounts SET is_active = 0 WHERE system_key = 'shipping_income'");
  const late = await sell();
  await company.rows("UPDATE accounts SET is_active = 1 WHERE system_key = 'shipping_income'");
  await allPosted(company);
  const entry = await getEntry(company, String((await getInvoice(company, late.id)).journal_entry_id));
  expect(entry.narration).toBe(`Invoice ${late.invoice_number}`);
  expect(linesOf(entry)).toEqual(await entryLines(company, atOnce));
  expect(linesOf(entry)).toHaveLength(5);
  await expectSound(company);
});
