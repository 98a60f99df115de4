import { sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { companies, resealings } from "#tables/tenancy";
import type { Directory } from "../directory.ts";

/** A run that takes longer was cut off, and is continued. */
const LEASE_MS = 10 * MINUTE_MS;
/** What the queue takes in one request. */
const AT_ONCE = 100;

/**
 * Takes some of the databases that the change of the master key is due to go through: the control database, and
 * companies by slug.
 */
export async function dueReencryptions(
  directory: Directory,
  now: number,
): Promise<{ control: boolean; companies: string[]; more: boolean }> {
  const control = new Database(directory.control);
  const [taken] = await control.write([
    sql`UPDATE ${resealings} SET due_at = ${now + LEASE_MS} WHERE company_id IN (
        SELECT company_id FROM ${resealings} WHERE status <> 'done' AND due_at <= ${now}
          AND NOT EXISTS (SELECT 1 FROM ${companies} WHERE ${companies.id} = company_id AND closed_at IS NOT NULL)
        ORDER BY due_at LIMIT ${AT_ONCE})
      RETURNING company_id, (SELECT slug FROM ${companies} WHERE ${companies.id} = company_id) AS slug`,
  ]);
  const rows = taken?.rows ?? [];
  return {
    control: rows.some((row) => Number(row.company_id) === 0),
    more: rows.length === AT_ONCE,
    companies: rows.flatMap(({ slug }) => (slug === null ? [] : [String(slug)])),
  };
}
