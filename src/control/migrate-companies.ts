import { eq } from "drizzle-orm";
import { Database, type DatabaseAddress } from "#platform/database.ts";
import { logFault } from "#platform/log.ts";
import { open } from "#platform/secrets.ts";
import { Problem } from "#shared/problem.ts";
import { migrate, missingMigrations } from "./migrate.ts";
import { COMPANY_MIGRATIONS, CONTROL_MIGRATIONS } from "./migrations.ts";
import type { ControlCtx } from "./plane.ts";
import type { Durability } from "./provision/index.ts";
import type { CompanyParams } from "./schema.ts";
import { companies } from "./tables.ts";

export type MigratedRow = { id: string; applied: string[]; durability: Durability };

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

/** Brings one company's database up to date, and makes its commits durable where they were not. */
export async function migrateCompany(ctx: ControlCtx, { slug }: CompanyParams): Promise<MigratedRow> {
  const address = await companyAddress(ctx, slug);
  const applied = await migrate(new Database(address), COMPANY_MIGRATIONS, ctx.now);
  return { id: slug, applied, durability: await makeDurable(ctx, address) };
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
  if (found?.url == null || found.token === null) throw new Problem("company_not_found");
  const place = { company: slug, field: "database_token" };
  const { url, currency } = found;
  return { url, currency, token: await open(ctx.plane.directory.masterKeys, place, found.token) };
}
