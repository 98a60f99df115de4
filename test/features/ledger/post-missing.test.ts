import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { line, newCustomer, newInvoice, REGISTERED, setClock } from "../commerce.ts";
import { BANK, CASH, entryLines, newPayment, times, voidInvoice } from "../money.ts";
import { bought, openShop, paidFor, placeOrder, productLine } from "../storefront/shop.ts";

type Posted = {
  posted: { source_type: string; source_id: string; journal_entry_id: string }[];
  left: number;
};
type Row = { source_type: string; source_id: string; reason: string };

async function open() {
  const company = await openCompany(REGISTERED);
  await setClock(company, "2026-06-15T06:00:00Z");
  const { id } = await newCustomer(company);
  return { company, customerId: id };
}

const post = async (company: TestCompany) =>
  must(await company.call<Posted>("POST", "/ledger/:company/post-missing"), 200).body.data;
const unposted = async (company: TestCompany) =>
  (await company.read<Row[]>("/ledger/:company/unposted")).map((one) => `${one.source_type} ${one.reason}`);
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
  expect(entry).toMatchObject({ entry_date: "2001-01-01", entry_number: "JV/00-01/00001", status: "posted" });
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
  // The company's clock may be first.
  await company.sweep(async () => (await unposted(company)).length === 0);
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

test("what the views say of invoices and payments is what their writes post", async () => {
  const shop = await openShop();
  const { company } = shop;
  const [one, two] = [await productLine(company, { tax_rate: 18 }, 3), await productLine(company)];
  await paidFor(shop, await placeOrder(company, { items: [one, two], shipping_amount: 50 }));
  await bought(shop, { items: [await productLine(company, { tax_rate: 5 })] });
  const { id } = await newCustomer(company);
  const invoice = await newInvoice(company, id, {
    items: [line, { ...line, tax_rate: 5, unit_price: 7.77 }],
  });
  for (const payment_mode_id of [CASH, BANK])
    await newPayment(company, { invoice_id: invoice.id, amount: 9, tds_amount: 1, payment_mode_id });
  for (const [kind, view] of Object.entries({ invoice: "invoices", payment: "payments" })) {
    const compared = await company.rows(`
      SELECT entry.narration IS posting.narration AND entry_date IS posting.date AND (
        SELECT json_group_array(json_array(account_id, debit, credit)) FROM journal_lines WHERE entry_id = entry.id
      ) IS (
        SELECT json_group_array(json_array(account.id, line.value ->> '$.debit', line.value ->> '$.credit'))
        FROM json_each(lines) AS line JOIN accounts AS account ON account.id = coalesce(line.value ->> '$.id', (
          SELECT id FROM accounts WHERE system_key = line.value ->> '$.key' OR party_id = iif(line.value ->> '$.of' = 'customer', customer_id, NULL)))
      ) AS is_same
      FROM journal_entries AS entry JOIN (
        SELECT source_id, narration, entry_date AS date, customer_id, lines FROM postings_of_${view}
      ) AS posting USING (source_id) WHERE source_type = '${kind}'`);
    expect(compared.map(({ is_same }) => is_same)).toEqual(kind === "invoice" ? [1, 1, 1] : [1, 1, 1, 1]);
  }
});
