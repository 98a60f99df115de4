import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { sealToken } from "#control/migrations/migrate-companies.ts";
import { newDatabaseName, openOwnDatabase } from "#control/provision/own-database.ts";
import { Database } from "#platform/database/database.ts";
import { atomic, refuseIfNone, takeTurn } from "#platform/write/atomic.ts";
import { read } from "#platform/write/operation-memory.ts";
import { Problem } from "#shared/problem.ts";
import type { ControlCtx } from "../context.ts";
import { forgetCompany } from "../directory.ts";
import { abandonedDatabases, auditHeads, companies } from "../tables.ts";
import { finished } from "./companies.ts";
import type { CompanyParams, SpareDatabaseParams } from "./schema.ts";
import { removeAbandoned } from "./slug-reservations.ts";

export type SpareDatabaseRow = { id: number; slug: string; database: string; spare: string | null };

// A company from before its database had a name has one that is named by its slug.
const current = sql`coalesce(${companies.databaseName}, ${companies.slug})`;
const isSuspended = eq(companies.status, "suspended");

/** Makes an empty database beside the company's own. Throws 409 `conflict` where it works, or keeps a spare one. */
export async function makeSpareDatabase(ctx: ControlCtx, { slug }: CompanyParams): Promise<SpareDatabaseRow> {
  await takeTurn(ctx);
  const here = and(finished(slug), isSuspended, isNull(companies.spareDatabaseUrl));
  const reserved = sql`coalesce(${companies.spareDatabaseName}, ${newDatabaseName(ctx.now)})`;
  const [changed] = await ctx.database.write([
    ctx.db
      .update(companies)
      .set({ spareDatabaseName: reserved })
      .where(here)
      .returning({ name: companies.spareDatabaseName }),
  ]);
  const name = changed?.rows[0]?.spare_database_name;
  if (name == null) throw await refusalOf(ctx, slug);
  const { url, token } = await openOwnDatabase(await ctx.plane.provisioner(), String(name));
  return atomic(
    ctx,
    [
      ctx.db
        .update(companies)
        .set({ spareDatabaseUrl: url, spareDatabaseToken: await sealToken(ctx, slug, token) })
        .where(and(here, eq(companies.spareDatabaseName, String(name)))),
      refuseIfNone("conflict"),
    ],
    snapshotOf(slug),
  );
}

/**
 * Gives a suspended company its spare database of this name; what it had before is the spare one then. Throws 409
 * `conflict` where nothing was restored into it.
 */
export async function useSpareDatabase(
  ctx: ControlCtx,
  { slug, name }: SpareDatabaseParams,
): Promise<SpareDatabaseRow> {
  await requireFilled(ctx, slug, name);
  const row = await atomic(
    ctx,
    [
      ctx.db
        .update(companies)
        .set({
          databaseName: sql`${companies.spareDatabaseName}`,
          databaseUrl: sql`${companies.spareDatabaseUrl}`,
          databaseToken: sql`${companies.spareDatabaseToken}`,
          spareDatabaseName: current,
          spareDatabaseUrl: sql`${companies.databaseUrl}`,
          spareDatabaseToken: sql`${companies.databaseToken}`,
          migratedAs: null,
          updatedAt: ctx.now,
        })
        .where(and(spareOf(slug, name), isSuspended, isNotNull(companies.spareDatabaseUrl))),
      refuseIfNone("conflict"),
      // This head belongs to the replaced database; the new one's is told by the next run of its chain.
      ctx.db
        .delete(auditHeads)
        .where(
          sql`${auditHeads.companyId} = (SELECT ${companies.id} FROM ${companies} WHERE ${finished(slug)})`,
        ),
    ],
    snapshotOf(slug),
    { conflict: () => unlike(ctx, slug, `is suspended and has the spare database ${name}`) },
  );
  forgetCompany(slug);
  return row;
}

/** Removes the company's spare database of this name, now or by later housekeeping. */
export async function removeSpareDatabase(
  ctx: ControlCtx,
  { slug, name }: SpareDatabaseParams,
): Promise<SpareDatabaseRow> {
  const row = await atomic(
    ctx,
    [
      sql`INSERT OR IGNORE INTO ${abandonedDatabases} (name, tried_at)
        SELECT ${companies.spareDatabaseName}, ${ctx.now} FROM ${companies} WHERE ${spareOf(slug, name)}`,
      ctx.db
        .update(companies)
        .set({ spareDatabaseName: null, spareDatabaseUrl: null, spareDatabaseToken: null })
        .where(spareOf(slug, name)),
      refuseIfNone("conflict"),
    ],
    snapshotOf(slug),
    { conflict: () => unlike(ctx, slug, `has the spare database ${name}`) },
  );
  const { provisioner } = ctx.plane;
  await removeAbandoned({ control: ctx.database, provisioner, now: ctx.now }, name);
  return row;
}

async function requireFilled(ctx: ControlCtx, slug: string, name: string): Promise<void> {
  const isThere = and(spareOf(slug, name), isNotNull(companies.spareDatabaseUrl));
  const [found] = await read(ctx, [ctx.db.select({ id: companies.id }).from(companies).where(isThere)]);
  // What is no spare of the company is refused by the write.
  if (found.length === 0) return;
  const spare = new Database(await (await ctx.plane.provisioner()).address(name));
  const [tables] = await spare.read([
    spare.build.all(sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'profile'`),
  ]);
  if (tables.length === 0)
    throw new Problem("conflict", { message: `Nothing was restored into the spare database ${name}` });
}

function spareOf(slug: string, name: string) {
  return and(finished(slug), eq(companies.spareDatabaseName, name));
}

async function refusalOf(ctx: ControlCtx, slug: string): Promise<Problem> {
  const found = await stateOf(ctx, slug);
  if (found === undefined) return new Problem("company_not_found");
  if (found.status !== "suspended") return needed("is suspended");
  return new Problem("conflict", {
    message: `The company keeps the spare database ${found.spare}: remove that first`,
  });
}

/** Says what is needed, and of a company that is there which spare database it has. */
async function unlike(ctx: ControlCtx, slug: string, what: string): Promise<Problem> {
  const found = await stateOf(ctx, slug);
  if (found === undefined) return needed(what);
  const keeps = found.spare === null ? "has no spare database" : `has the spare database ${found.spare}`;
  return needed(`${what}: this one is ${found.status}, and ${keeps}`);
}

async function stateOf(ctx: ControlCtx, slug: string) {
  const [[found]] = await read(ctx, [
    ctx.db
      .select({ status: companies.status, spare: companies.spareDatabaseName })
      .from(companies)
      .where(finished(slug)),
  ]);
  return found;
}

function needed(what: string): Problem {
  return new Problem("conflict", { message: `This is for a company that ${what}` });
}

function snapshotOf(slug: string): SQL<SpareDatabaseRow> {
  return sql<SpareDatabaseRow>`SELECT json_object('id', ${companies.id}, 'slug', ${companies.slug}, 'database', ${current},
    'spare', ${companies.spareDatabaseName}) FROM ${companies} WHERE ${finished(slug)}`;
}
