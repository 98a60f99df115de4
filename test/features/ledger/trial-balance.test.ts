import { describe, expect, test } from "vitest";
import { companyDate } from "#core/calendar.ts";
import { addDays } from "#shared/time/dates.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newCustomer, newInvoice, REGISTERED } from "../commerce.ts";
import { voidInvoice } from "../money.ts";

type Balance = { code: string; name: string; debit: number; credit: number; balance: number };
type TrialBalance = { accounts: Balance[]; total_debit: number; total_credit: number };

async function trialBalance(company: TestCompany, query = ""): Promise<TrialBalance> {
  const { data } = must(await company.call("GET", `/ledger/:company/trial-balance${query}`), 200).body;
  return data as unknown as TrialBalance;
}

describe("the trial balance of many entries is that of all of them", async () => {
  const company = await openCompany(REGISTERED);
  const [meera, ravi] = [await newCustomer(company), await newCustomer(company, { name: "Ravi Stores" })];
  await newInvoice(company, meera.id);
  // So many entries as this are summed in several reads.
  for (const seq of [99_999, 250_000]) {
    await company.rows(`UPDATE sqlite_sequence SET seq = ${seq} WHERE name = 'journal_entries'`);
    for (const { id } of [meera, ravi]) await newInvoice(company, id);
  }

  test("each account has the sum of its lines, and debits equal credits", async () => {
    const { accounts, ...totals } = await trialBalance(company);
    expect(accounts.map(({ code, name, debit, credit }) => [code, name, debit, credit])).toEqual([
      ["1100-1", "Sundry Debtors / Meera Traders", 3 * 354, 0],
      ["1100-2", "Sundry Debtors / Ravi Stores", 2 * 354, 0],
      ["2100", "Output CGST", 0, 5 * 27],
      ["2110", "Output SGST", 0, 5 * 27],
      ["4000", "Sales", 0, 1_499.85],
      ["5200", "Round Off", 0, 0.15],
    ]);
    expect(totals).toMatchObject({ total_debit: 5 * 354, total_credit: 5 * 354 });
  });

  test("debtors together are one line of Sundry Debtors, and all else is the same", async () => {
    const [each, together] = [await trialBalance(company), await trialBalance(company, "?debtors=together")];
    expect(together.accounts[0]).toMatchObject({ code: "1100", name: "Sundry Debtors", balance: 5 * 354 });
    expect(together.accounts.slice(1)).toEqual(each.accounts.slice(2));
    expect(together.total_debit).toBe(each.total_debit);
  });
});

test("more than 40,000 accounts in use are asked for with their debtors together", async () => {
  const company = await openCompany(REGISTERED);
  const { id } = await newCustomer(company);
  await newInvoice(company, id);
  const numbers =
    "WITH RECURSIVE number (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n <= 40000)";
  await company.database().batch(
    [
      `${numbers} INSERT INTO accounts (id, code, name, type, parent_id, party_type, party_id, created_at, updated_at)
        SELECT 100000 + n, '1100-' || n, 'Debtor ' || n, 'asset', parent_id, 'customer', n, 0, 0
        FROM number, accounts WHERE code = '1100-1'`,
      `INSERT INTO journal_entries (operation, ordinal, entry_number, entry_date, voucher_type, source_type, source_id, narration, created_at)
        SELECT 'by hand', 0, 'JV/by-hand', entry_date, voucher_type, source_type, 2, '', 0 FROM journal_entries`,
      `${numbers} INSERT INTO journal_lines (entry_id, position, account_id, debit, credit)
        SELECT 2, n, 100000 + n, iif(n = 2, 39999, 0), iif(n = 2, 0, 1) FROM number`,
      "UPDATE journal_entries SET status = 'posted' WHERE id = 2",
    ],
    "write",
  );
  const refused = must(await company.call("GET", "/ledger/:company/trial-balance"), 422);
  expect(refused.body.errors).toEqual([expect.objectContaining({ field: "debtors", code: "too_many" })]);
  expect(await trialBalance(company, "?debtors=together")).toMatchObject({ total_debit: 354 + 399.99 });
});

test("what is dated ahead and then taken back is reversed on its own day: a day between has neither side", async () => {
  const company = await openCompany(REGISTERED);
  const { id: customer } = await newCustomer(company);
  const today = companyDate(Date.now(), "Asia/Kolkata");
  // One of them is of the next financial year.
  for (const days of [40, 130]) {
    const { id } = await newInvoice(company, customer, { invoice_date: addDays(today, days) });
    must(await voidInvoice(company, id), 200);
  }
  for (const days of [0, 20, 60, 200]) {
    const { accounts } = await trialBalance(company, `?as_of=${addDays(today, days)}`);
    expect(accounts.filter(({ balance }) => balance !== 0)).toEqual([]);
    expect(accounts.length > 0).toBe(days > 20);
  }
  await expectSound(company);
});
