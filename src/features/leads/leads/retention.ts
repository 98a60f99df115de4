import { and, inArray, isNotNull, sql } from "drizzle-orm";
import type { FileCtx, WriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { auditEach } from "#core/write/audit-log.ts";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { leadSettings, leadSubmissions, leads } from "#tables/leads";
import { ATTACHMENTS } from "./attachments.ts";

const ERASED_AT_ONCE = 50;

/**
 * Erases leads without a submission for longer than the company keeps them: their files first, so that none outlives
 * them.
 */
export async function eraseOldLeads(ctx: WriteCtx & FileCtx): Promise<void> {
  const old = sql`${leads.lastSubmittedAt} < ${ctx.now} - ${DAY_MS} * (SELECT ${leadSettings.retentionDays} FROM ${leadSettings})`;
  for (;;) {
    const [rows] = await ctx.database.read([
      ctx.db.select({ id: leads.id }).from(leads).where(old).limit(ERASED_AT_ONCE),
    ]);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const [files] = await ctx.database.read([
      ctx.db
        .select({ path: leadSubmissions.attachmentPath })
        .from(leadSubmissions)
        .where(and(inArray(leadSubmissions.leadId, ids), isNotNull(leadSubmissions.attachmentPath))),
    ]);
    await ctx.files(ATTACHMENTS).delete(files.flatMap(({ path }) => path ?? []));
    // A lead with a new submission in the meantime stays.
    const silent = and(inArray(leads.id, ids), old);
    const erased = sql`SELECT ${leads.id} FROM ${leads} WHERE ${silent}`;
    await systemWrite(ctx, [
      auditEach(ctx, "eraseLead", erased),
      ctx.db.delete(leadSubmissions).where(sql`${leadSubmissions.leadId} IN (${erased})`),
      ctx.db.delete(leads).where(silent),
    ]);
  }
}

/** Erases again the leads that `eraseOldLeads` erased; one that spoke since is another, of the same id. */
export const leadErasure: Erasure = {
  action: "eraseLead",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${leads}
    ON ${leads.id} = CAST(record AS INTEGER) AND ${leads.lastSubmittedAt} <= at`,
  forget: (left) => [forgetSnapshots("lead", sql`SELECT record FROM (${left})`)],
  erase: (left) => [
    sql`DELETE FROM ${leadSubmissions} WHERE ${leadSubmissions.leadId} IN (${integersOf(left)})`,
    sql`DELETE FROM ${leads} WHERE ${leads.id} IN (${integersOf(left)})`,
  ],
};
