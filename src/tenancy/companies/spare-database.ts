import { and, eq, isNull, sql } from "drizzle-orm";
import { atomic, refuseIfNone, takeTurn } from "#core/write/atomic.ts";
import { recall } from "#core/write/replay.ts";
import { Problem } from "#shared/problem.ts";
import { abandonedDatabases, companies } from "#tables/tenancy";
import { lookAt } from "#tenancy/generations/standing.ts";
import { encryptToken } from "#tenancy/migrations/migrate-companies.ts";
import { newDatabaseName, openOwnDatabase } from "#tenancy/provision/own-database.ts";
import type { ControlCtx } from "../context.ts";
import { ControlRouter } from "../control-router.ts";
import { finished } from "./companies.ts";
import { CompanyParams, SpareDatabase, SpareDatabaseParams, SpareDatabaseUse } from "./schema.ts";
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
import { endReplacement, useSpareDatabase } from "./use-spare-database.ts";

const record = {
  schema: SpareDatabase,
  render: ({ slug, database, spare }: SpareDatabaseRow) => ({ slug, database, spare }),
};

/** A company's second database, which a restore into that company fills: for the operator. */
export const spareDatabaseRoutes = new ControlRouter("Platform", "/companies", {
  record,
  params: SpareDatabaseParams,
})
  .create({ makeSpareDatabase }, "/:slug/spare-database", {
    params: CompanyParams,
    summary: "Make a second, empty database for a company",
    description:
      "For a restore into a suspended company. One that works, or keeps a spare database already, is refused with 409.",
    problems: ["company_not_found", "conflict"],
  })
  .post({ useSpareDatabase }, "/:slug/spare-database/:name/use", {
    summary: "Give a company its spare database",
    description:
      "Only while the company is suspended. What was its database is kept as the spare one, and may be used again; it is marked as replaced first, and is not served from then on. Where a call was cut off, the same call completes it; one that names the company's own database ends what was begun and not completed. 409 `conflict` where the database that would be replaced does not answer, or where another one has taken its place since.",
    body: SpareDatabaseUse,
    problems: ["conflict"],
  })
  .delete({ removeSpareDatabase }, "/:slug/spare-database/:name", {
    record,
    summary: "Remove a company's spare database",
    description:
      "With all that is in it: of the company that a restore has replaced, or of a restore that failed. One that does not bear its own name is kept, and only forgotten. One that has taken the place of the company's own is refused.",
    problems: ["conflict"],
  });

/** Makes an empty database beside the company's own. Throws 409 `conflict` where it works, or keeps a spare one. */
async function makeSpareDatabase(ctx: ControlCtx, { slug }: CompanyParams): Promise<SpareDatabaseRow> {
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
async function removeSpareDatabase(
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
