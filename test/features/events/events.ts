import type * as z from "zod";
import type { Event } from "../../../src/features/events/schema.ts";
import { type Call, must, type TestCompany } from "../../support/company.ts";

export type EventRecord = z.infer<typeof Event>;

/** The newest events of a company; `query` from behind the question mark. */
export async function eventsOf(company: TestCompany, query = "", call: Call = {}): Promise<EventRecord[]> {
  const path = `/settings/:company/events?limit=100&${query}`;
  return must(await company.call<EventRecord[]>("GET", path, call), 200).body.data;
}

/** The types of a company's events, in the order in which they were committed. */
export async function typesOf(company: TestCompany, query = ""): Promise<string[]> {
  return (await eventsOf(company, query)).map(({ type }) => type).reverse();
}

/** How many events have no stamp, a record that nothing knew, or another's record. */
export async function faultyEvents(company: TestCompany): Promise<number> {
  const ofAnother = "CAST(snapshot ->> '$.id' AS TEXT) <> record_id";
  const sql = `SELECT count(*) AS faulty FROM events WHERE request_id IS NULL OR shape = 0 OR ${ofAnother}`;
  return Number((await company.rows(sql))[0]?.faulty);
}
