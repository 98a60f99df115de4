import { and, eq, isNull } from "drizzle-orm";
import { apiKeys, companies } from "#tables/tenancy";
import { companyCopy, keyCopies } from "#tables/tenancy/own-database";
import { withCopy } from "#tenancy/registry-backup/with-copy.ts";
import type { ControlCtx } from "../context.ts";
import { finished, writeCompany } from "./companies.ts";
import type { CompanyRow } from "./record.ts";
import type { CompanyParams } from "./schema.ts";

/** Suspends a company for good and revokes all of its keys, in one batch; what it wrote is kept. */
export function closeCompany(ctx: ControlCtx, { slug }: CompanyParams): Promise<CompanyRow> {
  const ids = ctx.db.select({ id: companies.id }).from(companies).where(finished(slug));
  const closed = { status: "suspended", updatedAt: ctx.now } as const;
  const revoked = { revokedAt: ctx.now, updatedAt: ctx.now };
  const keys = ctx.db
    .update(apiKeys)
    .set(revoked)
    .where(and(eq(apiKeys.companyId, ids), isNull(apiKeys.revokedAt)));
  return withCopy(ctx, {
    slug,
    takesAway: true,
    copy: () => [
      ctx.db.update(companyCopy).set(closed),
      ctx.db.update(keyCopies).set(revoked).where(isNull(keyCopies.revokedAt)),
    ],
    write: () => writeCompany(ctx, slug, { ...closed, closedAt: ctx.now }, [keys]),
  });
}
