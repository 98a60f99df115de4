import { and, eq, isNull, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { readNewest } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { Listed, Page } from "#shared/page.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { apiKeys, companies } from "#tables/tenancy";
import { companyCopy, keyCopies } from "#tables/tenancy/own-database";
import { withCopy } from "#tenancy/registry-backup/with-copy.ts";
import type { ControlCtx } from "../context.ts";
import { type CompanyRow, company } from "./record.ts";
import { type CompanyParams, type CompanyPatch, ceilings } from "./schema.ts";

/** The companies of the service, newest first. */
export async function listCompanies(
  ctx: ControlCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<CompanyRow>> {
  return readNewest(ctx, page, company, ne(companies.status, "provisioning"));
}

/** One company; 404 while its creation has not ended. */
export async function getCompany(ctx: ControlCtx, { slug }: CompanyParams): Promise<CompanyRow> {
  const [rows] = await read(ctx, [jsonQuery(ctx, companySnapshot(slug))]);
  const [found] = parseRows(rows);
  if (found === undefined) throw new Problem("company_not_found");
  return found;
}

/** Renames, suspends or resumes a company, also one that was closed; sets its ceilings and those of its keys' limits; in the sandbox also shifts its clock. */
export async function updateCompany(
  ctx: ControlCtx,
  { slug }: CompanyParams,
  patch: CompanyPatch,
): Promise<CompanyRow> {
  if (patch.clock_offset_seconds !== undefined && !ctx.plane.sandbox) {
    throw fieldProblem("clock_offset_seconds", "not_applicable", "is for the sandbox only");
  }
  const changed = {
    name: patch.name,
    status: patch.status,
    rateLimitCeiling: patch.max_rate_limit_per_minute,
    messagingRateCeiling: patch.max_messaging_rate_per_minute,
    messagingCapCeiling: patch.max_messaging_daily_cap,
    callsCeiling: patch.max_calls_per_minute,
    messagesCeiling: patch.max_messages_per_day,
    keysCeiling: patch.max_keys,
    updatedAt: ctx.now,
  };
  const clockOffsetMs = patch.clock_offset_seconds && patch.clock_offset_seconds * 1_000;
  const closedAt = patch.status === undefined ? undefined : null;
  const row = await withCopy(ctx, {
    slug,
    // A ceiling may be lower than it was.
    takesAway: patch.status === "suspended" || Object.keys(ceilings).some((name) => name in patch),
    copy: () => [ctx.db.update(companyCopy).set(changed), ...lowerCopies(patch)],
    write: () => writeCompany(ctx, slug, { ...changed, clockOffsetMs, closedAt }),
  });
  // Another clock makes other things due, and a company that works again has some; the look in a minute is for isolates
  // that remember the company as it was.
  if (patch.clock_offset_seconds !== undefined || patch.status === "active")
    await ctx.plane.wakeClock(slug, ctx.now);
  return row;
}

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

/** Writes on a company, and `also` in the same batch; 404 while its creation has not ended. */
function writeCompany(
  ctx: ControlCtx,
  slug: string,
  set: SQLiteUpdateSetSource<typeof companies>,
  also: readonly SQLWrapper[] = [],
): Promise<CompanyRow> {
  const changed = ctx.db.update(companies).set(set).where(finished(slug));
  return atomic(ctx, [changed, refuseIfNone("not_found"), ...also], companySnapshot(slug), {
    not_found: () => new Problem("company_not_found"),
  });
}

/** As a trigger of the control database lowers the limits of keys to a ceiling. */
function lowerCopies(patch: CompanyPatch): SQL[] {
  const limits = {
    rate_limit_per_minute: patch.max_rate_limit_per_minute,
    messaging_rate_per_minute: patch.max_messaging_rate_per_minute,
    messaging_daily_cap: patch.max_messaging_daily_cap,
  };
  return Object.entries(limits).flatMap(([name, most]) => {
    const limit = sql.identifier(name);
    return most === undefined
      ? []
      : [sql`UPDATE ${keyCopies} SET ${limit} = ${most} WHERE ${limit} > ${most}`];
  });
}

/** The SELECT that a write on the company ends with. */
export function companySnapshot(slug: string): SQL<CompanyRow> {
  return company.select(sql`${finished(slug)}`);
}

/** The company of the slug, once its creation has ended. */
export function finished(slug: string) {
  return and(eq(companies.slug, slug), ne(companies.status, "provisioning"));
}
