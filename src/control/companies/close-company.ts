import { and, eq, isNull } from "drizzle-orm";
import { atomic, refuseIfNone } from "#platform/write/atomic.ts";
import { Problem } from "#shared/problem.ts";
import type { ControlCtx } from "../context.ts";
import { forgetCompany } from "../directory.ts";
import { apiKeys, companies } from "../tables.ts";
import { type CompanyRow, companySnapshot, finished } from "./companies.ts";
import type { CompanyParams } from "./schema.ts";

/** Suspends a company for good and revokes all of its keys, in one batch; what it wrote is kept. */
export async function closeCompany(ctx: ControlCtx, { slug }: CompanyParams): Promise<CompanyRow> {
  const ids = ctx.db.select({ id: companies.id }).from(companies).where(finished(slug));
  const row = await atomic(
    ctx,
    [
      ctx.db.update(companies).set({ status: "suspended", updatedAt: ctx.now }).where(finished(slug)),
      refuseIfNone("not_found"),
      ctx.db
        .update(apiKeys)
        .set({ revokedAt: ctx.now, updatedAt: ctx.now })
        .where(and(eq(apiKeys.companyId, ids), isNull(apiKeys.revokedAt))),
    ],
    companySnapshot(slug),
    { not_found: () => new Problem("company_not_found") },
  );
  forgetCompany(slug);
  return row;
}
