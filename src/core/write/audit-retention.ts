import { sql } from "drizzle-orm";
import { DAY_MS } from "#shared/time/durations.ts";
import { auditChanges, auditCut, auditLinks, auditLog } from "#tables/core";
import type { ReadCtx } from "../context.ts";
import { LINK_ROWS } from "./audit-link.ts";

/** Ten years: the Companies Act asks for eight financial years, which end up to nine years after what they hold. */
export const AUDIT_KEPT_MS = 3_653 * DAY_MS;

/**
 * Erases the links of the audit log that are older than ten years, with their rows, from the beginning on. The last of
 * them is kept without its rows: the chain goes on from it.
 */
export async function eraseOldAuditRows(ctx: ReadCtx): Promise<void> {
  const until = ctx.now - AUDIT_KEPT_MS;
  const cut = sql`(SELECT last_id FROM ${auditCut})`;
  for (let erased = 1; erased > 0; ) {
    const [, , rows] = await ctx.database.write([
      // The log has no gap, and a link no more rows than these: there is one at least, where it is old enough.
      sql`INSERT INTO ${auditCut} (id, last_id, hash, chained_at)
        SELECT 1, last_id, hash, chained_at FROM ${auditLinks}
        WHERE chained_at <= ${until} AND last_id <= coalesce(${cut}, 0) + ${LINK_ROWS}
        ORDER BY last_id DESC LIMIT 1
        ON CONFLICT (id) DO UPDATE SET last_id = excluded.last_id, hash = excluded.hash, chained_at = excluded.chained_at`,
      sql`DELETE FROM ${auditChanges} WHERE audit_id <= ${cut}`,
      sql`DELETE FROM ${auditLog} WHERE id <= ${cut}`,
      sql`DELETE FROM ${auditLinks} WHERE last_id <= ${cut}`,
    ]);
    erased = rows?.rowsAffected ?? 0;
  }
}
