import { and, eq, isNull, sql } from "drizzle-orm";
import { atomic, refuseIfNone, takeTurn } from "#core/write/atomic.ts";
import { recall } from "#core/write/replay.ts";
import { Problem } from "#shared/problem.ts";
import { abandonedDatabases, companies } from "#tables/tenancy";
import { lookAt } from "#tenancy/generations/standing.ts";
import { encryptToken } from "#tenancy/migrations/migrate-companies.ts";
import { newDatabaseName, openOwnDatabase } from "#tenancy/provision/own-database.ts";
import type { ControlCtx } from "../context.ts";
import { finished } from "./companies.ts";
import type { CompanyParams, SpareDatabaseParams } from "./schema.ts";
import { removeAbandoned } from "./slug-reservations.ts";
import {
  conflict,
  isSuspended,
  needed,
  type SpareDatabaseRow,
  type SpareState,
  spareSnapshot,
  spareStateOf,
  unlike,
} from "./spare-state.ts";
import { endReplacement } from "./use-spare-database.ts";

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
        .set({ spareDatabaseUrl: url, spareDatabaseToken: await encryptToken(ctx, slug, token) })
        .where(and(here, eq(companies.spareDatabaseName, String(name)))),
      refuseIfNone("conflict"),
    ],
    spareSnapshot(slug),
  );
}

/** Removes the company's spare database of this name, now or by the hourly jobs. */
export async function removeSpareDatabase(
  ctx: ControlCtx,
  { slug, name }: SpareDatabaseParams,
): Promise<SpareDatabaseRow> {
  if (ctx.call.fingerprint !== null) await recall(ctx, false);
  const found = await spareStateOf(ctx, slug);
  if (found?.spare === name) await requireReplaced(ctx, slug, found, name);
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
    spareSnapshot(slug),
    { conflict: async () => unlike(await spareStateOf(ctx, slug), `has the spare database ${name}`) },
  );
  const { provisioner } = ctx.plane;
  await removeAbandoned({ control: ctx.database, provisioner, now: ctx.now }, name);
  return row;
}

function spareOf(slug: string, name: string) {
  return and(finished(slug), eq(companies.spareDatabaseName, name));
}

/** Refuses to remove the one that is in its place; a replacement by it that was begun is ended. */
async function requireReplaced(
  ctx: ControlCtx,
  slug: string,
  found: SpareState,
  name: string,
): Promise<void> {
  const own = await lookAt(ctx, found.own);
  if (!("trouble" in own)) {
    if (own.standing.mark?.by === name) await endReplacement(ctx, slug, found, name);
    return;
  }
  const spare = await lookAt(ctx, name);
  if (!("trouble" in spare) && spare.standing.mark === null)
    throw conflict(`${found.own} ${own.trouble}, and ${name} is not replaced: it may be all that there is`);
}

async function refusalOf(ctx: ControlCtx, slug: string): Promise<Problem> {
  const found = await spareStateOf(ctx, slug);
  if (found === undefined) return new Problem("company_not_found");
  if (found.status !== "suspended") return needed("is suspended");
  return conflict(
    `The company keeps the spare database ${found.spare}: remove that first, with \`company-ops company remove-spare ${slug} ${found.spare}\``,
  );
}
