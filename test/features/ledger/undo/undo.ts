import type { TestCompany } from "../../../support/company.ts";

type Balances = { accounts: { name: string; balance: number }[] };

/** What each account held at the end of a day, by its name; without those of nothing. */
export async function heldOn(company: TestCompany, day: string): Promise<Record<string, number>> {
  const path = `/ledger/:company/trial-balance?debtors=together&as_of=${day}`;
  const { accounts } = await company.read<Balances>(path);
  return Object.fromEntries(
    accounts.flatMap(({ name, balance }) => (balance === 0 ? [] : [[name, balance]])),
  );
}

/** Takes back what stands at a path. */
export function reverse(company: TestCompany, path: string, body: object = {}) {
  return company.call<Record<string, unknown>>("POST", path, { body });
}
