import { and, eq, type SQL, sql } from "drizzle-orm";
import { companyDate } from "#core/calendar.ts";
import { Database, type DatabaseAddress } from "#core/database/database.ts";
import { BatchRefused } from "#core/database/failure.ts";
import { logFault } from "#core/log.ts";
import { atomic, refuseIfNone, takeTurn } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { COMPANY_MIGRATIONS } from "#migrations";
import { registrationOf } from "#shared/gst/registration.ts";
import { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { financialYearOf, firstMonthOf } from "#shared/time/financial-year.ts";
import { companies } from "#tables/tenancy";
import { ADMINISTRATOR, insertKey } from "#tenancy/keys/insert-key.ts";
import { encryptSecret, openSecret } from "#tenancy/keys/issued-secret.ts";
import { migrate } from "#tenancy/migrations/migrate.ts";
import { encryptToken, stateToReach } from "#tenancy/migrations/migrate-companies.ts";
import { schemaNumber } from "#tenancy/migrations/schema-number.ts";
import type { AtNow } from "#tenancy/migrations/schema-objects.ts";
import { newDatabaseName, openOwnDatabase } from "#tenancy/provision/own-database.ts";
import { firstCopies } from "#tenancy/registry-backup/mend-copies.ts";
import type { ControlCtx } from "../context.ts";
import { selectOldestTokens, someOpens } from "../oldest-tokens.ts";
import { companySnapshot } from "./companies.ts";
import { HOURLY_JOBS_EVERY_MS } from "./hourly-schedule.ts";
import { type CompanyRow, company } from "./record.ts";
import type { CompanyCreate } from "./schema.ts";
import { giveUp, RESERVATION_MS } from "./slug-reservations.ts";

/** What all migrations together make of an empty database, as JSON of `AtNow`; the build puts it in here. */
declare const NEW_COMPANY: string;

/** One head of tax, by no name of India's; `tax_label_names_accounts` gives it the profile's. */
const ACCOUNTS_ABROAD = [
  sql`DELETE FROM accounts
    WHERE system_key IN ('output_cgst', 'output_sgst', 'input_cgst', 'input_sgst', 'input_igst')`,
  sql`UPDATE accounts SET name = CASE system_key WHEN 'output_igst' THEN 'Output Tax' WHEN 'input_gst' THEN 'Input Tax'
    ELSE 'Tax Withheld' END WHERE system_key IN ('output_igst', 'input_gst', 'tds_receivable')`,
];

/** The secret is encrypted, and gone once the key was used. */
export type CreatedCompanyRow = CompanyRow & {
  admin_key: { client_id: string; sealed_secret?: string | null };
};

/**
 * Creates a company: reserves its slug and its database's name, makes and fills that database, then marks the company
 * active and gives it one key of every scope. A creation that fails is undone. One that was cut off is continued by a
 * retry with its Idempotency-Key, or undone by the hourly jobs.
 */
export async function createCompany(
  ctx: ControlCtx,
  _params: unknown,
  body: CompanyCreate,
): Promise<CreatedCompanyRow> {
  const registration = registrationOf(body.country, body);
  await takeTurn(ctx);
  const databaseName = await reserve(ctx, body);
  try {
    const address = await openOwnDatabase(await ctx.plane.provisioner(), databaseName);
    await fill(ctx, address, body, registration);
    return await activate(ctx, address, body.slug);
  } catch (error) {
    await release(ctx, body.slug, ctx.call.idempotencyRecordKey).catch((fault) =>
      logFault("company_release", fault, body.slug),
    );
    throw error;
  }
}

/** Gives the name of the company's database: a new one, or that of an earlier attempt with this Idempotency-Key. */
async function reserve(ctx: ControlCtx, body: CompanyCreate): Promise<string> {
  const { slug, name, country, currency, timezone } = body;
  const reservation = ctx.call.idempotencyRecordKey;
  await makeWay(ctx, slug);
  const fields = { name, country, currency, timezone, reservedAt: ctx.now, updatedAt: ctx.now };
  const row = {
    ...fields,
    slug,
    status: "provisioning" as const,
    reservation,
    databaseName: newDatabaseName(ctx.now),
    createdAt: ctx.now,
  };
  const isMine = and(eq(companies.status, "provisioning"), eq(companies.reservation, reservation));
  try {
    const [reserved] = await ctx.database.write([
      ctx.db
        .insert(companies)
        .values(row)
        .onConflictDoUpdate({ target: companies.slug, set: fields, ...(isMine && { setWhere: isMine }) })
        .returning({ databaseName: companies.databaseName }),
      refuseIfNone("conflict"),
    ]);
    return String(reserved?.rows[0]?.database_name);
  } catch (error) {
    throw error instanceof BatchRefused ? slugTaken(slug) : error;
  }
}

/**
 * Frees the slug of a creation that failed. A database that already has this name is not ours, and stays. Throws 503
 * `no_key_opens` where the master key is not the service's: no other would open the new company.
 */
async function makeWay(ctx: ControlCtx, slug: string): Promise<void> {
  const [[found], oldest] = await read(ctx, [
    ctx.db
      .select({
        status: companies.status,
        reservation: companies.reservation,
        reservedAt: companies.reservedAt,
      })
      .from(companies)
      .where(eq(companies.slug, slug)),
    selectOldestTokens(ctx.db),
  ]);
  if (!(await someOpens(ctx.plane.directory, oldest))) throw retryLater("no_key_opens", MINUTE_MS);
  if (found === undefined) {
    if (await (await ctx.plane.provisioner()).exists(slug)) throw slugTaken(slug);
    return;
  }
  const { status, reservation, reservedAt } = found;
  const isDead = status === "provisioning" && reservedAt < ctx.now - RESERVATION_MS;
  if (isDead && reservation !== ctx.call.idempotencyRecordKey) await release(ctx, slug, reservation);
}

function slugTaken(slug: string): Problem {
  return new Problem("conflict", {
    message: `The slug ${slug} is taken, by a company or by another database`,
    members: { field: "slug" },
  });
}

async function fill(
  ctx: ControlCtx,
  address: DatabaseAddress,
  body: CompanyCreate,
  { gstin, state, stateCode }: ReturnType<typeof registrationOf>,
): Promise<void> {
  const database = new Database(address);
  await migrate(database, COMPANY_MIGRATIONS, ctx.now, JSON.parse(NEW_COMPANY) as AtNow);
  const year = financialYearOf(companyDate(ctx.now, body.timezone), body.country);
  await database.write([
    // An earlier attempt with another body may have filled it.
    sql`INSERT OR REPLACE INTO profile (id, name, gstin, state, state_code, address, email, books_currency,
        financial_year_month, created_at, updated_at)
      VALUES (1, ${body.name}, ${gstin}, ${state}, ${stateCode}, ${body.address ?? null},
        ${body.email ?? null}, ${body.currency}, ${firstMonthOf(body.country)}, ${ctx.now}, ${ctx.now})`,
    sql`INSERT INTO financial_years (name, start_date, end_date)
      VALUES (${year.name}, ${year.start}, ${year.end}) ON CONFLICT DO NOTHING`,
    ...(body.country === "IN" ? [] : ACCOUNTS_ABROAD),
    // Without an address of its own the service cannot put links in them.
    ...(ctx.services.publicOrigin === null ? [] : [sql`UPDATE notification_rules SET email = starts_on`]),
  ]);
}

async function activate(ctx: ControlCtx, address: DatabaseAddress, slug: string): Promise<CreatedCompanyRow> {
  const here = eq(companies.slug, slug);
  const companyId = sql<number>`(SELECT ${companies.id} FROM ${companies} WHERE ${here})`;
  const { statement, clientId, secret } = await insertKey(ctx, companyId, ADMINISTRATOR);
  const encrypted = await encryptSecret(ctx, slug, clientId, secret);
  const row = await atomic(
    ctx,
    [
      ctx.db
        .update(companies)
        .set({
          status: "active",
          nextSweepAt: ctx.now + HOURLY_JOBS_EVERY_MS,
          databaseUrl: address.url,
          databaseToken: await encryptToken(ctx, slug, address.token),
          migratedAs: await stateToReach(ctx),
          schemaNumber: schemaNumber(),
          updatedAt: ctx.now,
        })
        .where(
          and(
            here,
            eq(companies.status, "provisioning"),
            eq(companies.reservation, ctx.call.idempotencyRecordKey),
          ),
        ),
      refuseIfNone("conflict"),
      statement,
    ],
    createdSnapshot(slug, clientId, encrypted),
  );
  // The hourly jobs write what is not written now.
  await firstCopies(ctx.database, new Database(address), slug).catch((error) =>
    logFault("key_copies", error, slug),
  );
  return row;
}

function createdSnapshot(slug: string, clientId: string, encrypted: string | null): SQL<CreatedCompanyRow> {
  return sql`SELECT json_set((${companySnapshot(slug)}), '$.admin_key',
    json_object('client_id', ${clientId}, 'sealed_secret', ${encrypted}))`;
}

export async function renderCreatedCompany({ admin_key: key, ...row }: CreatedCompanyRow, ctx: ControlCtx) {
  const secret = await openSecret(ctx, row.slug, key.client_id, key.sealed_secret);
  const admin_key = { client_id: key.client_id, client_secret: secret };
  return { ...company.render(row), status: "active" as const, admin_key };
}

async function release(ctx: ControlCtx, slug: string, reservation: string): Promise<void> {
  const { provisioner } = ctx.plane;
  await giveUp({ control: ctx.database, provisioner, now: ctx.now }, { slug, reservation });
}
