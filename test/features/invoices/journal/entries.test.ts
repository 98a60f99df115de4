import { afterAll, expect, test } from "vitest";
import { openCompany } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { line, newCustomer, newInvoice, REGISTERED, setClock } from "../../commerce.ts";

const company = await openCompany(REGISTERED);
await setClock(company, "2026-06-15T06:00:00Z");
const local = (await newCustomer(company, { name: "Local" })).id;
const distant = (await newCustomer(company, { name: "Distant", state: "Maharashtra" })).id;
afterAll(() => expectSound(company));

/** The lines of an entry: account, and what it is debited or credited with, in paise. */
async function linesOf(entryId: string | null): Promise<unknown[][]> {
  const rows = await company.rows(
    `SELECT CASE WHEN party_id IS NULL THEN code || ' ' || name ELSE name END AS account, debit, credit
      FROM journal_lines JOIN accounts ON accounts.id = account_id WHERE entry_id = ? ORDER BY position`,
    entryId,
  );
  return rows.map(({ account, debit, credit }) =>
    credit === 0 ? ["Dr", account, debit] : ["Cr", account, credit],
  );
}

type Case = [what: string, customerId: string, item: object, ...lines: [string, string, number][]];

test.each<Case>([
  [
    "a supply within the state: the customer against sales, CGST, SGST and the rounding",
    local,
    {},
    ["Dr", "Sundry Debtors / Local", 354_00],
    ["Cr", "4000 Sales", 299_97],
    ["Cr", "2100 Output CGST", 27_00],
    ["Cr", "2110 Output SGST", 27_00],
    ["Cr", "5200 Round Off", 3],
  ],
  [
    "a total rounded down: the rounding is a debit",
    local,
    { quantity: 2.5, unit_price: 33.33, tax_rate: 5 },
    ["Dr", "Sundry Debtors / Local", 87_00],
    ["Cr", "4000 Sales", 83_33],
    ["Cr", "2100 Output CGST", 2_08],
    ["Cr", "2110 Output SGST", 2_08],
    ["Dr", "5200 Round Off", 49],
  ],
  [
    "a supply between states: the customer against sales, IGST and the rounding",
    distant,
    {},
    ["Dr", "Sundry Debtors / Distant", 354_00],
    ["Cr", "4000 Sales", 299_97],
    ["Cr", "2120 Output IGST", 53_99],
    ["Cr", "5200 Round Off", 4],
  ],
  [
    "an amount of nothing has no line",
    local,
    { quantity: 1, unit_price: 100, tax_rate: 0 },
    ["Dr", "Sundry Debtors / Local", 100_00],
    ["Cr", "4000 Sales", 100_00],
  ],
  [
    "a discount lowers what is credited to sales",
    distant,
    { quantity: 1, unit_price: 100, discount_amount: 50 },
    ["Dr", "Sundry Debtors / Distant", 59_00],
    ["Cr", "4000 Sales", 50_00],
    ["Cr", "2120 Output IGST", 9_00],
  ],
])("%s", async (_what, customerId, item, ...lines) => {
  const { journal_entry_id: entryId } = await newInvoice(company, customerId, {
    items: [{ ...line, ...item }],
  });
  expect(await linesOf(entryId)).toEqual(lines);
});

test("the entry is posted on the invoice's date, numbered, and says what it is for", async () => {
  const issued = await newInvoice(company, local, { invoice_date: "2025-05-05" });
  const { id, invoice_number: number, journal_entry_id: entryId } = issued;
  const columns =
    "entry_number, entry_date, voucher_type, source_type, source_id, status, reversal_of, narration";
  expect(await company.rows(`SELECT ${columns} FROM journal_entries WHERE id = ?`, entryId)).toEqual([
    {
      entry_number: "JV/25-26/00001",
      entry_date: "2025-05-05",
      voucher_type: "invoice",
      source_type: "invoice",
      source_id: Number(id),
      status: "posted",
      reversal_of: null,
      narration: `Invoice ${number}`,
    },
  ]);
});
