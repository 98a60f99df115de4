import { must, openCompany, type TestCompany } from "../../../support/company.ts";
import type { Answer } from "../../../support/http.ts";
import { REGISTERED, setClock } from "../../commerce.ts";
import { type EntryRecord, linesOf } from "../../money.ts";

export const TODAY = "2026-06-15";
type Account = { id: string; code: string; name: string };

/** A company on a known day, with the ids of its accounts by their names. */
export async function openBooks(fields: Record<string, unknown> = REGISTERED) {
  const company = await openCompany(fields);
  await setClock(company, `${TODAY}T06:00:00Z`);
  const rent = { code: "5050", name: "Rent", type: "expense" };
  await company.make("/settings/:company/accounts", rent);
  const accounts = await company.read<Account[]>("/ledger/:company/accounts?limit=100");
  return { company, idOf: Object.fromEntries(accounts.map(({ id, name }) => [name, id])) };
}

export function write(company: TestCompany, path: string, body: object) {
  return company.call<EntryRecord>("POST", `/ledger/:company/${path}`, { body });
}

/** The lines of the entry that an answer made. */
export const linesIn = (answer: Answer<EntryRecord>) => linesOf(must(answer, 201).body.data);
