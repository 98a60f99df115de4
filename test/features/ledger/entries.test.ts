import { describe, expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newCustomer, newInvoice, openTrader, REGISTERED, setClock } from "../commerce.ts";
import { BANK, CASH, entryLines, getEntry, newPayment } from "../money.ts";

const TODAY = "2026-06-15";
const DEBTOR = "Sundry Debtors / Meera Traders";

const { company, customerId } = await openTrader(`${TODAY}T06:00:00Z`);

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

  test.each([
    ["in cash", { amount: 100, payment_mode_id: CASH }, ["Cash Dr 100 Cr 0", `${DEBTOR} Dr 0 Cr 100`]],
    [
      "by bank with tax deducted at source",
      { amount: 300, tds_amount: 54, payment_mode_id: BANK },
      ["Bank Dr 300 Cr 0", "TDS Receivable Dr 54 Cr 0", `${DEBTOR} Dr 0 Cr 354`],
    ],
  ])("a payment %s", async (_what, fields, lines) => {
    const { id: invoice_id } = await newInvoice(company, customerId);
    const { journal_entry_id: id } = await pay({ invoice_id, ...fields });
    expect(await entryLines(company, id)).toEqual(lines);
  });
});

test("accounts show the sums of their lines; a customer's balance is what its live invoices owe", async () => {
  const fresh = await newCustomer(company, { name: "Asha" });
  const { id: invoiceId } = await newInvoice(company, fresh.id);
  await pay({ invoice_id: invoiceId, amount: 54 });
  const accounts = await company.read<Record<string, unknown>[]>("/ledger/:company/accounts?limit=100");
  expect(await company.read("/ledger/:company/accounts?code=1020&type=asset")).toMatchObject([
    { name: "Bank" },
  ]);
  expect(accounts.find((account) => account.customer_id === fresh.id)).toMatchObject({
    name: "Sundry Debtors / Asha",
    type: "asset",
    is_active: true,
    debit: 354,
    credit: 54,
    balance: 300,
  });
});
