import { eq } from "drizzle-orm";
import { Database } from "#platform/database.ts";
import { open } from "#platform/secrets.ts";
import { Problem } from "#shared/problem.ts";
import { migrate } from "./migrate.ts";
import { COMPANY_MIGRATIONS, CONTROL_MIGRATIONS } from "./migrations.ts";
import type { ControlCtx } from "./plane.ts";
import type { CompanyParams } from "./schema.ts";
import { companies } from "./tables.ts";

export type MigratedRow = { id: string; applied: string[] };

/** Brings the control database up to date; works on an empty one, for it is how a new service begins. */
export async function migrateControl(ctx: ControlCtx): Promise<MigratedRow> {
  return { id: "control", applied: await migrate(ctx.database, CONTROL_MIGRATIONS, ctx.now) };
}

/** Brings one company's database up to date. */
export async function migrateCompany(ctx: ControlCtx, { slug }: CompanyParams): Promise<MigratedRow> {
  const database = await companyDatabase(ctx, slug);
  return { id: slug, applied: await migrate(database, COMPANY_MIGRATIONS, ctx.now) };
}

/** Opens the company's database with its own token. */
export async function companyDatabase(ctx: ControlCtx, slug: string): Promise<Database> {
  const select = ctx.db
    .select({ url: companies.databaseUrl, token: companies.databaseToken })
    .from(companies)
    .where(eq(companies.slug, slug));
  const [[found]] = await ctx.database.read([select]);
  if (found?.url == null || found.token === null) throw new Problem("company_not_found");
  const place = { company: slug, field: "database_token" };
  return new Database({
    url: found.url,
    token: await open(ctx.plane.directory.masterKeys, place, found.token),
  });
}
