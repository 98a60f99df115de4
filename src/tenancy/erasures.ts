import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { Database } from "#core/database/database.ts";
import { type Erased, erasedRows } from "#core/write/erasures.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { erasures } from "#tables/tenancy";
import type { Directory } from "./directory.ts";

/** For how long an erasure is kept: a backup of a company that is older brings back what was erased. */
const KEPT_MS = 1_096 * DAY_MS;
const later = alias(erasures, "later");

/**
 * Keeps what a company erased, so that a backup can be restored without it where the company's database is lost.
 * Idempotent. Of an action that erases all before an id (`...Before`) the last one says all.
 */
export async function keepErasures(
  directory: Directory,
  companyId: number,
  erased: readonly Erased[],
  now: number,
): Promise<void> {
  const control = new Database(directory.control);
  const rows = [...Map.groupBy(erased, ({ action }) => action)];
  await control.write([
    ...rows.map(
      ([action, some]) => sql`INSERT INTO ${erasures} (company_id, action, record, at)
        SELECT ${companyId}, ${action}, record, max(at) FROM ${erasedRows(some)} WHERE true GROUP BY record
        ON CONFLICT (company_id, action, record) DO UPDATE SET at = max(at, excluded.at)`,
    ),
    sql`DELETE FROM ${erasures} WHERE company_id = ${companyId} AND at < ${now - KEPT_MS}`,
    sql`DELETE FROM ${erasures} WHERE company_id = ${companyId} AND action GLOB '*Before'
      AND record < (SELECT max(${later.record}) FROM ${erasures} AS ${later}
        WHERE ${later.companyId} = ${companyId} AND ${later.action} = ${erasures.action})`,
  ]);
}
