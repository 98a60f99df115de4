import { inArray, sql } from "drizzle-orm";
import type { FileCtx, WriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { auditEach } from "#core/write/audit-log.ts";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { applications, recruitmentSettings } from "#tables/recruitment";
import { RESUMES } from "./resumes.ts";

const ERASED_AT_ONCE = 100;

/** Erases applications older than the company keeps them: the resumes first, so that none outlives its record. */
export async function eraseOldApplications(ctx: WriteCtx & FileCtx): Promise<void> {
  const old = sql`${applications.appliedAt} < ${ctx.now} - ${DAY_MS} * (SELECT ${recruitmentSettings.retentionDays} FROM ${recruitmentSettings})`;
  for (;;) {
    const [rows] = await ctx.database.read([
      ctx.db
        .select({ id: applications.id, path: applications.resumePath })
        .from(applications)
        .where(old)
        .limit(ERASED_AT_ONCE),
    ]);
    if (rows.length === 0) return;
    const erased = inArray(
      applications.id,
      rows.map(({ id }) => id),
    );
    await ctx.files(RESUMES).delete(rows.map(({ path }) => path));
    await systemWrite(ctx, [
      auditEach(ctx, "eraseApplication", sql`SELECT ${applications.id} FROM ${applications} WHERE ${erased}`),
      ctx.db.delete(applications).where(erased),
    ]);
  }
}

/** Erases again the applications that `eraseOldApplications` erased. */
export const applicationErasure: Erasure = {
  action: "eraseApplication",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${applications}
    ON ${applications.id} = CAST(record AS INTEGER) AND ${applications.appliedAt} <= at`,
  forget: (left) => [forgetSnapshots("application", sql`SELECT record FROM (${left})`)],
  erase: (left) => [sql`DELETE FROM ${applications} WHERE ${applications.id} IN (${integersOf(left)})`],
};
