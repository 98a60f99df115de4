import { afterAll, describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { line, newCustomer, newInvoice, REGISTERED, setClock } from "../commerce.ts";
import {
  BANK,
  CASH,
  type EntryRecord,
  entryLines,
  getEntry,
  newPayment,
  refund,
  voidInvoice,
} from "../money.ts";

const TODAY = "2026-06-15";
const DEBTOR = "Sundry Debtors / Meera Traders";

const company = await openCompany(REGISTERED);
await setClock(company, `${TODAY}T06:00:00Z`);
const customerId = (await newCustomer(company)).id;
afterAll(() => expectSound(company));

const pay = (fields: Record<string, unknown>) => newPayment(company, { payment_date: TODAY, ...fields });

test("the service finds its accounts by their system key, whatever their code is", async () => {
  const own = await openCompany(REGISTERED);
  await setClock(own, `${TODAY}T06:00:00Z`);
  await own.rows("UPDATE accounts SET code = '4444' WHERE system_key = 'sales'");
  const { journal_entry_id: id } = await newInvoice(own, (await newCustomer(own)).id);
  expect(await entryLines(own, id)).toContain("Sales Dr 0 Cr 299.97");
  await expectSound(own);
});

describe("each event makes the entry that an accountant expects", () => {
  test.each<[what: string, fields: Record<string, unknown>, lines: string[]]>([
    [
      "an invoice within the state",
      { items: [line] },
      ["Sales Dr 0 Cr 299.97", "Output CGST Dr 0 Cr 27", "Output SGST Dr 0 Cr 27", "Round Off Dr 0 Cr 0.03"],
    ],
    [
      "an invoice rounded down",
      { items: [{ ...line, quantity: 2.5, unit_price: 33.33, tax_rate: 5 }] },
      [
        "Sales Dr 0 Cr 83.33",
        "Output CGST Dr 0 Cr 2.08",
        "Output SGST Dr 0 Cr 2.08",
        "Round Off Dr 0.49 Cr 0",
      ],
    ],
    [
      "an invoice between states",
      { items: [line], place_of_supply: "27" },
      ["Sales Dr 0 Cr 299.97", "Output IGST Dr 0 Cr 53.99", "Round Off Dr 0 Cr 0.04"],
    ],
    [
      "an invoice without tax or rounding, which have no line",
      { items: [{ ...line, quantity: 1, unit_price: 100, tax_rate: 0 }] },
      ["Sales Dr 0 Cr 100"],
    ],
    [
      "an invoice with a discount, which lowers its sales",
      { items: [{ ...line, quantity: 1, unit_price: 100, discount_amount: 50 }], place_of_supply: "27" },
      ["Sales Dr 0 Cr 50", "Output IGST Dr 0 Cr 9"],
    ],
  ])("%s", async (_what, fields, lines) => {
    const { journal_entry_id: id, total_amount: total } = await newInvoice(company, customerId, fields);
    expect(await entryLines(company, id)).toEqual([`${DEBTOR} Dr ${total} Cr 0`, ...lines]);
  });

  test("on the invoice's date, numbered, with what it is for", async () => {
    const issued = await newInvoice(company, customerId, { invoice_date: "2025-05-05" });
    expect(await getEntry(company, String(issued.journal_entry_id))).toMatchObject({
      entry_number: "JV/25-26/00001",
      entry_date: "2025-05-05",
      voucher_type: "invoice",
      source_type: "invoice",
      source_id: issued.id,
      status: "posted",
      reversal_of: null,
      narration: `Invoice ${issued.invoice_number}`,
    });
  });

  test("a payment by bank with tax deducted at source, and its refund", async () => {
    const { id: invoiceId } = await newInvoice(company, customerId);
    const payment = await pay({
      invoice_id: invoiceId,
      amount: 300,
      tds_amount: 54,
      payment_mode_id: BANK,
    });
    const receipt = String(payment.journal_entry_id);
    expect(await entryLines(company, receipt)).toEqual([
      "Bank Dr 300 Cr 0",
      "TDS Receivable Dr 54 Cr 0",
      `${DEBTOR} Dr 0 Cr 354`,
    ]);
    must(await refund(company, payment.id), 200);
    expect(await getEntry(company, receipt)).toMatchObject({ status: "voided" });
    const reversal = await reversalOf(receipt);
    expect(reversal).toMatchObject({ entry_date: TODAY, status: "posted", reversal_of: receipt });
    expect(await entryLines(company, reversal.id)).toEqual([
      "Bank Dr 0 Cr 300",
      "TDS Receivable Dr 0 Cr 54",
      `${DEBTOR} Dr 354 Cr 0`,
    ]);
  });

  test("a payment in cash, and the void of its invoice", async () => {
    const invoice = await newInvoice(company, customerId);
    const payment = await pay({ invoice_id: invoice.id, amount: 100, payment_mode_id: CASH });
    expect(await entryLines(company, payment.journal_entry_id)).toEqual([
      "Cash Dr 100 Cr 0",
      `${DEBTOR} Dr 0 Cr 100`,
    ]);
    must(await voidInvoice(company, invoice.id), 200);
    expect(await entryLines(company, (await reversalOf(String(invoice.journal_entry_id))).id)).toEqual([
      `${DEBTOR} Dr 0 Cr 354`,
      "Sales Dr 299.97 Cr 0",
      "Output CGST Dr 27 Cr 0",
      "Output SGST Dr 27 Cr 0",
      "Round Off Dr 0.03 Cr 0",
    ]);
    expect(await entryLines(company, (await reversalOf(String(payment.journal_entry_id))).id)).toEqual([
      "Cash Dr 0 Cr 100",
      `${DEBTOR} Dr 100 Cr 0`,
    ]);
  });
});

test("accounts show the sums of their lines; a customer's balance is what its live invoices owe", async () => {
  const fresh = await newCustomer(company, { name: "Asha" });
  const { id: invoiceId } = await newInvoice(company, fresh.id);
  await pay({ invoice_id: invoiceId, amount: 54 });
  const accounts = await company.read<Record<string, unknown>[]>("/ledger/:company/accounts?limit=100");
  expect(accounts.find((account) => account.customer_id === fresh.id)).toMatchObject({
    name: "Sundry Debtors / Asha",
    type: "asset",
    is_active: true,
    debit: 354,
    credit: 54,
    balance: 300,
  });
});

test("entries are listed newest first, and by account", async () => {
  const all = await listEntries("limit=100");
  expect(all.map(({ id }) => Number(id))).toEqual(all.map(({ id }) => Number(id)).toSorted((a, b) => b - a));
  const bank = all
    .flatMap(({ lines }) => lines)
    .find(({ account_name: name }) => name === "Bank")?.account_id;
  const onBank = await listEntries(`account_id=${bank}&limit=100`);
  expect(onBank).toEqual(all.filter(({ lines }) => lines.some(({ account_id: id }) => id === bank)));
});

test("the trial balance is of the entries up to a day, and balances to the paisa", async () => {
  type Balance = { as_of: string; accounts: unknown[]; total_debit: number; total_credit: number };
  const on = async (day: string) =>
    must(await company.call<Balance>("GET", `/ledger/:company/trial-balance?as_of=${day}`), 200).body.data;
  const now = await on(TODAY);
  expect(now.as_of).toBe(TODAY);
  expect(await company.read("/ledger/:company/trial-balance")).toEqual(now);
  expect(now.total_debit).toBeGreaterThan(0);
  expect(now.total_debit).toBe(now.total_credit);
  expect(await on("2020-01-01")).toEqual({
    as_of: "2020-01-01",
    currency: "INR",
    accounts: [],
    total_debit: 0,
    total_credit: 0,
  });
  expect(await company.call("GET", "/ledger/:company/trial-balance?as_of=2026-13-01")).toMatchObject({
    status: 422,
  });
});

async function listEntries(query: string): Promise<EntryRecord[]> {
  return company.read<EntryRecord[]>(`/ledger/:company/journal-entries?${query}`);
}

async function reversalOf(id: string): Promise<EntryRecord> {
  const found = (await listEntries("limit=100")).find(({ reversal_of: original }) => original === id);
  if (found === undefined) throw new Error(`Entry ${id} has no reversal`);
  return found;
}
