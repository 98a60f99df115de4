import { beforeEach } from "vitest";
import type { TestCompany } from "../../support/company.ts";

type Balances = { accounts: { name: string; balance: number }[] };

/** What each account holds, or held at the end of a day, by its name; without those of nothing. */
export async function balancesOf(company: TestCompany, day?: string): Promise<Record<string, number>> {
  const path = `/ledger/:company/trial-balance?debtors=together${day ? `&as_of=${day}` : ""}`;
  const { accounts } = await company.read<Balances>(path);
  return Object.fromEntries(
    accounts.flatMap(({ name, balance }) => (balance === 0 ? [] : [[name, balance]])),
  );
}

/** Each capture as its outcome, its amount in minor units, and where the money is. */
export async function capturesOf(company: TestCompany): Promise<string[]> {
  const rows = await company.rows(
    "SELECT outcome, amount, state, advance_amount FROM gateway_captures ORDER BY id",
  );
  return rows.map((row) => `${row.outcome} ${row.amount} ${row.state} ${row.advance_amount}`);
}

/** What each test of a file adds: to an account, by its name, and to the captures. */
export function addedTo(company: TestCompany) {
  let captures = 0;
  let balances: Record<string, number> = {};
  beforeEach(async () => {
    captures = (await capturesOf(company)).length;
    balances = await balancesOf(company);
  });
  return {
    taken: async () => (await capturesOf(company)).slice(captures),
    added: async (name: string) => {
      const now = await balancesOf(company);
      return Math.round(((now[name] ?? 0) - (balances[name] ?? 0)) * 100) / 100;
    },
  };
}
