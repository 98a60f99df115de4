import { and, eq, sql } from "drizzle-orm";
import { atomic, refuseIfNone } from "#platform/atomic.ts";
import { companyDate } from "#platform/calendar.ts";
import { Database, type DatabaseAddress } from "#platform/database.ts";
import { BatchRefused } from "#platform/database-failure.ts";
import { logFault } from "#platform/log.ts";
import { seal } from "#platform/secrets.ts";
import { financialYearOf } from "#shared/dates.ts";
import { Problem } from "#shared/problem.ts";
import { registrationOf } from "#shared/registration.ts";
import { type CompanyRow, companySnapshot } from "./companies.ts";
import { insertKey } from "./keys.ts";
import { migrate } from "./migrate.ts";
import { COMPANY_MIGRATIONS } from "./migrations.ts";
import type { ControlCtx } from "./plane.ts";
import type { CompanyCreate } from "./schema.ts";
import { SCOPES } from "./scopes.ts";
import { SWEEP_EVERY_MS } from "./sweep.ts";
import { companies } from "./tables.ts";

// A creation that has not ended by then has died, and its slug may be taken over.
const RESERVATION_MS = 120_000;

export type CreatedCompanyRow = CompanyRow & { admin_key: { client_id: string; client_secret: string } };

/**
 * Opens a company: reserves its slug, makes and fills its database, then names it active with one key of every scope.
 * A creation that fails takes its reservation and its database back, so it can be tried again.
 */
export async function createCompany(
  ctx: ControlCtx,
  _params: unknown,
  body: CompanyCreate,
): Promise<CreatedCompanyRow> {
  const registration = registrationOf(body.country, body);
  await reserve(ctx, body);
  try {
    const address = await ctx.plane.provisioner().create(body.slug);
    await fill(ctx, address, body, registration);
    return await activate(ctx, address, body.slug);
  } catch (error) {
    await release(ctx, body.slug);
    throw error;
  }
}

async function reserve(ctx: ControlCtx, body: CompanyCreate): Promise<void> {
  const reservation = ctx.operation.id;
  const row = {
    slug: body.slug,
    name: body.name,
    country: body.country,
    currency: body.currency,
    timezone: body.timezone,
    status: "provisioning" as const,
    reservation,
    reservedAt: ctx.now,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const mayTake = sql`${companies.status} = 'provisioning'
    AND (${companies.reservation} = ${reservation} OR ${companies.reservedAt} < ${ctx.now - RESERVATION_MS})`;
  try {
    await ctx.database.write([
      ctx.db
        .insert(companies)
        .values(row)
        .onConflictDoUpdate({ target: companies.slug, set: row, setWhere: mayTake }),
      refuseIfNone("conflict"),
    ]);
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error;
    throw new Problem("conflict", { message: `The slug ${body.slug} is taken` });
  }
}

async function fill(
  ctx: ControlCtx,
  address: DatabaseAddress,
  body: CompanyCreate,
  { gstin, state, stateCode }: ReturnType<typeof registrationOf>,
): Promise<void> {
  const database = new Database(address);
  await migrate(database, COMPANY_MIGRATIONS, ctx.now);
  const year = financialYearOf(companyDate(ctx.now, body.timezone));
  await database.write([
    sql`INSERT INTO profile (id, name, gstin, state, state_code, address, email, created_at, updated_at)
      VALUES (1, ${body.name}, ${gstin}, ${state}, ${stateCode}, ${body.address ?? null},
        ${body.email ?? null}, ${ctx.now}, ${ctx.now}) ON CONFLICT DO NOTHING`,
    sql`INSERT INTO financial_years (name, start_date, end_date)
      VALUES (${year.name}, ${year.start}, ${year.end}) ON CONFLICT DO NOTHING`,
  ]);
}

async function activate(ctx: ControlCtx, address: DatabaseAddress, slug: string): Promise<CreatedCompanyRow> {
  const { masterKeys } = ctx.plane.directory;
  const here = eq(companies.slug, slug);
  const companyId = sql<number>`(SELECT ${companies.id} FROM ${companies} WHERE ${here})`;
  const { statement, clientId, secret } = await insertKey(ctx, companyId, {
    type: "secret",
    name: "Administrator",
    scopes: [...SCOPES],
  });
  const company = await atomic(
    ctx,
    [
      ctx.db
        .update(companies)
        .set({
          status: "active",
          nextSweepAt: ctx.now + SWEEP_EVERY_MS,
          databaseUrl: address.url,
          databaseToken: await seal(
            masterKeys[0] ?? "",
            { company: slug, field: "database_token" },
            address.token,
          ),
          updatedAt: ctx.now,
        })
        .where(and(here, eq(companies.reservation, ctx.operation.id))),
      refuseIfNone("conflict"),
      statement,
    ],
    companySnapshot(slug),
  );
  return { ...company, admin_key: { client_id: clientId, client_secret: secret ?? "" } };
}

/** The database goes only once the reservation is gone, so that a company which did become active keeps its own. */
async function release(ctx: ControlCtx, slug: string): Promise<void> {
  try {
    await ctx.database.write([
      sql`DELETE FROM ${companies} WHERE ${companies.slug} = ${slug} AND ${companies.status} = 'provisioning'
        AND ${companies.reservation} = ${ctx.operation.id}`,
      refuseIfNone("not_found"),
    ]);
    await ctx.plane.provisioner().remove(slug);
  } catch (error) {
    logFault(`release of ${slug}`, error, ctx.requestId);
  }
}
