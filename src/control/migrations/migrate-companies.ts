import { and, eq } from "drizzle-orm";
import type { CompanyParams } from "#control/companies/schema.ts";
import type { Durability } from "#control/provision/index.ts";
import { Database, type DatabaseAddress } from "#platform/database/database.ts";
import { logFault } from "#platform/log.ts";
import { Problem } from "#shared/problem.ts";
import type { ControlCtx } from "../context.ts";
import { databaseTokens, openFor, sealFor } from "../sealed.ts";
import { companies } from "../tables.ts";
import { COMPANY_MIGRATIONS, CONTROL_MIGRATIONS } from "./list.ts";
import { migrate, missingMigrations } from "./migrate.ts";

export type MigratedRow = { id: string; applied: string[]; durability: Durability };
export type MigratedCompanyRow = MigratedRow & { token: "kept" | "renewed" };

/** Brings the control database up to date; works on an empty one, for it is how a new service begins. */
export async function migrateControl(ctx: ControlCtx): Promise<MigratedRow> {
  const applied = await migrate(ctx.database, CONTROL_MIGRATIONS, ctx.now);
  return { id: "control", applied, durability: await makeDurable(ctx, ctx.plane.directory.control) };
}

export type MigrationStateRow = {
  missing: string[];
  durability: "strong" | "relaxed" | "unmanaged" | "unknown";
};

/** What `migrateControl` would do; changes nothing, and answers also where the database provider does not. */
export async function controlMigrations(ctx: ControlCtx): Promise<MigrationStateRow> {
  const missing = await missingMigrations(ctx.database, CONTROL_MIGRATIONS);
  const durability = await durabilityOf(ctx).catch((error: unknown) => {
    logFault("durability of the control database", error, ctx.requestId);
    return "unknown" as const;
  });
  return { missing, durability };
}

async function durabilityOf({ plane }: ControlCtx) {
  return plane.provisioner().durability(plane.directory.control.url);
}

/** Brings one company's database up to date, makes its commits durable, and keeps the token that opens it now. */
export async function migrateCompany(ctx: ControlCtx, { slug }: CompanyParams): Promise<MigratedCompanyRow> {
  const { url, token: kept } = await companyAddress(ctx, slug);
  const token = ctx.plane.provisioner().sharedToken(url) ?? kept;
  const address = { url, token };
  const applied = await migrate(new Database(address), COMPANY_MIGRATIONS, ctx.now);
  const durability = await makeDurable(ctx, address);
  // Only now has this token opened the database.
  if (token !== kept) await keepToken(ctx, slug, address);
  return { id: slug, applied, durability, token: token === kept ? "kept" : "renewed" };
}

async function keepToken(ctx: ControlCtx, slug: string, { url, token }: DatabaseAddress): Promise<void> {
  const databaseToken = await sealToken(ctx, slug, token);
  const here = and(eq(companies.slug, slug), eq(companies.databaseUrl, url));
  await ctx.database.write([ctx.db.update(companies).set({ databaseToken }).where(here)]);
}

/** The token as the company's record holds it. */
export function sealToken({ plane }: ControlCtx, slug: string, token: string): Promise<string> {
  return sealFor(plane.directory, databaseTokens, slug, "", token);
}

/** Opens the company's database with its own token, and says what its currency is. */
export async function companyDatabase(
  ctx: ControlCtx,
  slug: string,
): Promise<{ database: Database; currency: string }> {
  const { currency, ...address } = await companyAddress(ctx, slug);
  return { database: new Database(address), currency };
}

function makeDurable({ plane }: ControlCtx, { url }: DatabaseAddress): Promise<Durability> {
  return plane.provisioner().makeDurable(url);
}

async function companyAddress(
  ctx: ControlCtx,
  slug: string,
): Promise<DatabaseAddress & { currency: string }> {
  const select = ctx.db
    .select({ url: companies.databaseUrl, token: companies.databaseToken, currency: companies.currency })
    .from(companies)
    .where(eq(companies.slug, slug));
  const [[found]] = await ctx.database.read([select]);
  if (found?.url == null) throw new Problem("company_not_found");
  const { url, currency, token: sealed } = found;
  const token = sealed === null ? "" : await openFor(ctx.plane.directory, databaseTokens, slug, "", sealed);
  return { url, currency, token };
}
