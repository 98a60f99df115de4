import { expect } from "vitest";
import type { TestCompany } from "../../../support/company.ts";

/** What the accounts that lessons move hold, in minor units; those of nothing are left out. */
export async function balances(company: TestCompany): Promise<Record<string, number>> {
  const rows = await company.rows(`
    SELECT coalesce(system_key, 'debtors') AS account, sum(debit - credit) AS held FROM journal_lines
      JOIN accounts ON accounts.id = account_id GROUP BY account HAVING held <> 0 ORDER BY account`);
  return Object.fromEntries(rows.map(({ account, held }) => [String(account), Number(held)]));
}

/** Changes a booking as staff do. */
export async function change(company: TestCompany, id: string, body: object) {
  return company.change<Record<string, unknown>>(`/settings/:company/bookings/${id}`, body);
}

/** Lets the hourly jobs run until what the lessons that are over earned has changed. */
export async function untilEarned(company: TestCompany, rows: number): Promise<void> {
  await company.sweep(async () => {
    const [found] = await company.rows(
      "SELECT count(*) AS rows FROM lesson_earnings WHERE removed_by IS NULL",
    );
    return Number(found?.rows) === rows;
  });
  expect(await company.rows("SELECT id FROM unposted")).toEqual([]);
}
