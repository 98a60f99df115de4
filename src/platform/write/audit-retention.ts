import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "#shared/time/durations.ts";
import type { ReadCtx } from "../context.ts";
import { auditChanges, auditCut, auditLog } from "./tables.ts";

/** Ten years: the Companies Act asks for eight financial years, which end up to nine years after what they hold. */
const KEPT_MS = 3_653 * DAY_MS;
const ERASED_AT_ONCE = 500;

/** Erases rows of the audit log that are older than ten years, from its beginning on; through which one is kept. */
export async function eraseOldAuditRows(ctx: ReadCtx): Promise<void> {
  const through = lastOld(ctx.now - KEPT_MS);
  for (let erased = ERASED_AT_ONCE; erased >= ERASED_AT_ONCE; ) {
    const [, , rows] = await ctx.database.write([
      sql`INSERT INTO ${auditCut} (id, last_id) SELECT 1, through FROM (${through}) WHERE through IS NOT NULL
        ON CONFLICT (id) DO UPDATE SET last_id = excluded.last_id`,
      sql`DELETE FROM ${auditChanges} WHERE audit_id <= (SELECT last_id FROM ${auditCut})`,
      sql`DELETE FROM ${auditLog} WHERE id <= (SELECT last_id FROM ${auditCut})`,
    ]);
    erased = rows?.rowsAffected ?? 0;
  }
}

/** The last of the first rows that has only old ones before it: the log has no gap, and is cut where a younger one stands. */
function lastOld(until: number): SQL {
  return sql`WITH oldest AS MATERIALIZED (SELECT id, at FROM ${auditLog} ORDER BY id LIMIT ${ERASED_AT_ONCE})
    SELECT max(id) AS through FROM oldest WHERE id < coalesce((SELECT min(id) FROM oldest WHERE at > ${until}), id + 1)`;
}
