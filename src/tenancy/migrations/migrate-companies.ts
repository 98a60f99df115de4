import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { Database, type DatabaseAddress } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { readList } from "#core/sql/read-records.ts";
import { COMPANY_MIGRATIONS, CONTROL_MIGRATIONS } from "#migrations";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { companies } from "#tables/tenancy";
import type { CompanyParams } from "#tenancy/companies/schema.ts";
import type { Durability } from "#tenancy/provision/index.ts";
import { mendCopies } from "#tenancy/registry-backup/mend-copies.ts";
import type { ControlCtx } from "../context.ts";
import { decryptFor, encryptFor, tokenPlace } from "../secret-kinds.ts";
import { hashed, migrate, missingMigrations } from "./migrate.ts";

export type MigratedRow = { id: string; applied: string[]; durability: Durability };
export type MigratedCompanyRow = MigratedRow & { token: "kept" | "renewed" };

/** Brings the control database up to date; works on an empty one, for it is how a new service begins. */
export async function migrateControl(ctx: ControlCtx): Promise<MigratedRow> {
  const applied = await migrate(ctx.database, CONTROL_MIGRATIONS, ctx.now);
  return { id: "control", applied, durability: await makeDurable(ctx, ctx.plane.directory.control) };
}

/** What `migrateControl` would do; changes nothing, and answers also where the database provider does not. */
export async function controlMigrations(ctx: ControlCtx) {
  const missing = await missingMigrations(ctx.database, CONTROL_MIGRATIONS);
  const durability = await durabilityOf(ctx).catch((error: unknown) => {
    logFault("control_durability", error);
    return "unknown" as const;
  });
  return { missing, durability };
}

async function durabilityOf({ plane }: ControlCtx) {
  return (await plane.provisioner()).durability(plane.directory.control.url);
}

/** Brings one company's database up to date, makes its commits durable, and keeps the token that opens it now. */
export async function migrateCompany(ctx: ControlCtx, { slug }: CompanyParams): Promise<MigratedCompanyRow> {
  const isHere = eq(companies.slug, slug);
  const [found, [state]] = await ctx.database.read([
    addressSelect(ctx, slug),
    ctx.db.select({ reached: companies.migratedAs }).from(companies).where(isHere),
  ]);
  const { url, token: kept } = await openAddress(ctx, slug, found);
  const token = (await ctx.plane.provisioner()).sharedToken(url) ?? kept;
  const address = { url, token };
  const applied = await upgraded(ctx, slug);
  const durability = await makeDurable(ctx, address);
  // After a restore or a registry rebuild it has none.
  await mendCopies(ctx.database, new Database(address), { slug, now: ctx.now });
  const migratedAs = await stateToReach(ctx);
  if (token !== kept || state?.reached !== migratedAs) {
    // Only now has this token opened the database.
    const renewed = token === kept ? {} : { databaseToken: await encryptToken(ctx, slug, token) };
    const isStillHere = and(isHere, eq(companies.databaseUrl, url));
    await ctx.database.write([
      ctx.db
        .update(companies)
        .set({ migratedAs, ...renewed })
        .where(isStillHere),
    ]);
  }
  return { id: slug, applied, durability, token: token === kept ? "kept" : "renewed" };
}

async function upgraded({ plane, now }: ControlCtx, slug: string): Promise<string[]> {
  const {
    end,
    applied,
    error = "The rollout of this release does not include the company",
  } = await plane.upgrade(slug, now);
  if (end === "unavailable") throw retryLater("unavailable", 1_000);
  if (end !== "done") throw new Problem("conflict", { message: error });
  return applied;
}

/** What a company's row names once its database has all migrations, is durable, and is opened by the token of today. */
export async function stateToReach({ plane }: ControlCtx): Promise<string> {
  const { token } = await plane.provisioner();
  const texts = await hashed(COMPANY_MIGRATIONS);
  return sha256Hex(JSON.stringify([texts.map(({ name, sha256 }) => [name, sha256]), token]));
}

const unmigratedShape = { id: companies.id, slug: companies.slug };
type UnmigratedRow = JsonRow<typeof unmigratedShape>;

/** The companies that `migrateCompany` has something to do for, newest first; asks none of their databases. */
export async function listUnmigrated(
  ctx: ControlCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<UnmigratedRow>> {
  const select = sql<UnmigratedRow>`SELECT ${jsonObject(unmigratedShape)} AS snapshot FROM ${companies}
    WHERE ${companies.id} < ${idBelow(page)} AND ${ne(companies.status, "provisioning")}
      AND ${isNull(companies.closedAt)} AND ${companies.migratedAs} IS NOT ${await stateToReach(ctx)}
    ORDER BY ${companies.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, select);
}

/** The token as the company's record holds it. */
export function encryptToken({ plane }: ControlCtx, slug: string, token: string): Promise<string> {
  return encryptFor(plane.directory, tokenPlace(slug), token);
}

/** Opens the company's database with its own token, and says what its currency is. */
export async function companyDatabase(
  ctx: ControlCtx,
  slug: string,
): Promise<{ database: Database; currency: string }> {
  const { currency, ...address } = await companyAddress(ctx, slug);
  return { database: Database.ofCompany(address), currency };
}

async function makeDurable({ plane }: ControlCtx, { url }: DatabaseAddress): Promise<Durability> {
  return (await plane.provisioner()).makeDurable(url);
}

async function companyAddress(
  ctx: ControlCtx,
  slug: string,
): Promise<DatabaseAddress & { currency: string }> {
  const [found] = await ctx.database.read([addressSelect(ctx, slug)]);
  return openAddress(ctx, slug, found);
}

function addressSelect(ctx: ControlCtx, slug: string) {
  return ctx.db
    .select({ url: companies.databaseUrl, token: companies.databaseToken, currency: companies.currency })
    .from(companies)
    .where(eq(companies.slug, slug));
}

type Kept = { url: string | null; token: string | null; currency: string };

async function openAddress(ctx: ControlCtx, slug: string, [found]: readonly Kept[]) {
  if (found?.url == null) throw new Problem("company_not_found");
  const { url, currency, token: encrypted } = found;
  const token = encrypted === null ? "" : await decryptFor(ctx.plane.directory, tokenPlace(slug), encrypted);
  return { url, currency, token };
}
