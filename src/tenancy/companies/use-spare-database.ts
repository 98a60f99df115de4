import { and, eq, type SQL, sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { atomic, refuseIfNone, takeTurn } from "#core/write/atomic.ts";
import { recall } from "#core/write/replay.ts";
import { answering, previousOf, requireUnreplaced } from "#tenancy/generations/places.ts";
import { type Named, putInPlace } from "#tenancy/generations/put-in-place.ts";
import { databaseNamed, readStanding, takenPlace } from "#tenancy/generations/standing.ts";
import { COMPANY_MIGRATIONS } from "#tenancy/migrations/list.ts";
import { migrate } from "#tenancy/migrations/migrate.ts";
import { encryptToken } from "#tenancy/migrations/migrate-companies.ts";
import { schemaNumber } from "#tenancy/migrations/schema-number.ts";
import type { ControlCtx } from "../context.ts";
import { forgetCompany } from "../directory.ts";
import { auditHeads, companies } from "../tables.ts";
import { finished } from "./companies.ts";
import type { SpareDatabaseParams, SpareDatabaseUse } from "./schema.ts";
import {
  conflict,
  isSuspended,
  type SpareDatabaseRow,
  type SpareState,
  spareSnapshot,
  spareStateOf,
  unlike,
} from "./spare-state.ts";

/**
 * Gives a suspended company its spare database of this name; what it had before is the spare one then, and bears that it
 * is replaced. Of its own database it ends a replacement that was begun. Throws 409 `conflict` where nothing was restored
 * into it, or where it would turn back what came later.
 */
export async function useSpareDatabase(
  ctx: ControlCtx,
  { slug, name }: SpareDatabaseParams,
  { lost }: SpareDatabaseUse,
): Promise<SpareDatabaseRow> {
  await takeTurn(ctx);
  if (ctx.call.fingerprint !== null) await recall(ctx, false);
  const found = await spareStateOf(ctx, slug);
  const what = `is suspended and has the spare database ${name}`;
  if (found?.status !== "suspended") throw unlike(found, what);
  if (found.own === name) return keepOwnDatabase(ctx, slug, found, lost);
  if (found.spare !== name || !found.isMade) throw unlike(found, what);

  const provisioner = await ctx.plane.provisioner();
  await provisioner.letIn(name);
  const address = await provisioner.address(name);
  const next = { name, database: new Database(address) };
  await requireFilled(next);
  await migrate(next.database, COMPANY_MIGRATIONS, ctx.now);
  await requireUnreplaced(ctx, next, found.own);
  const previous = await previousOf(ctx, found.own, lost);
  if (previous !== undefined) await requireUnreplaced(ctx, previous, name);
  const generation = await putInPlace(ctx, slug, { next, previous, known: found.generation });
  const row = await atomic(
    ctx,
    [
      ctx.db
        .update(companies)
        .set({
          databaseName: name,
          databaseUrl: address.url,
          databaseToken: await encryptToken(ctx, slug, address.token),
          spareDatabaseName: companies.databaseName,
          spareDatabaseUrl: sql`${companies.databaseUrl}`,
          spareDatabaseToken: sql`${companies.databaseToken}`,
          databaseGeneration: generation,
          migratedAs: null,
          schemaNumber: schemaNumber(),
          updatedAt: ctx.now,
        })
        .where(and(finished(slug), isSuspended, eq(companies.spareDatabaseName, name))),
      refuseIfNone("conflict"),
      forgetHead(slug),
    ],
    spareSnapshot(slug),
    { conflict: async () => unlike(await spareStateOf(ctx, slug), what) },
  );
  forgetCompany(slug);
  return row;
}

/** The company keeps its own database: a replacement of it that was begun is ended. */
async function keepOwnDatabase(
  ctx: ControlCtx,
  slug: string,
  found: SpareState,
  lost: string | undefined,
): Promise<SpareDatabaseRow> {
  const databaseGeneration = await endReplacement(ctx, slug, found, lost);
  await requireMarked(ctx, found.spare);
  const row = await atomic(
    ctx,
    [ctx.db.update(companies).set({ databaseGeneration }).where(finished(slug))],
    spareSnapshot(slug),
  );
  forgetCompany(slug);
  return row;
}

/** One that no other has replaced may have had the place since: only its use, and another change after that, goes back. */
async function requireMarked(ctx: ControlCtx, spare: string | null): Promise<void> {
  const database = spare === null ? undefined : await answering(ctx, spare);
  const standing = database === undefined ? null : await readStanding(database);
  if (standing !== null && standing.mark === null)
    throw conflict(`${spare} does not bear that it is replaced: use that one, and this one after it`);
}

/** Takes from a company's own database the mark of a replacement that was not completed. Gives its generation. */
export async function endReplacement(
  ctx: ControlCtx,
  slug: string,
  { own, generation }: Pick<SpareState, "own" | "generation">,
  lost?: string,
): Promise<number> {
  const database = await databaseNamed(ctx, own);
  const mark = database === undefined ? null : (await readStanding(database))?.mark;
  if (database === undefined || mark == null) return generation;
  const taken = await takenPlace(ctx, mark);
  if (taken === "yes" || (taken === "gone" && lost !== mark.by))
    throw conflict(
      taken === "yes"
        ? `${mark.by} has taken the place of ${own}: use that one, which completes it, or run \`company-ops adopt\``
        : `${own} was replaced by ${mark.by}, which is not there: if that is lost, say so with --lost ${mark.by}`,
    );
  const other = await databaseNamed(ctx, mark.by);
  const isFilled = other !== undefined && (await readStanding(other)) !== null;
  const previous = isFilled ? { name: mark.by, database: other } : undefined;
  return putInPlace(ctx, slug, { next: { name: own, database }, previous, known: generation });
}

/** The head of the audit log belongs to the replaced database; the next run of the chain records the new one's. */
export function forgetHead(slug: string): SQL {
  const id = sql`(SELECT ${companies.id} FROM ${companies} WHERE ${finished(slug)})`;
  return sql`DELETE FROM ${auditHeads} WHERE ${auditHeads.companyId} = ${id}`;
}

async function requireFilled({ name, database }: Named): Promise<void> {
  const [tables] = await database.read([
    database.build.all(sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'profile'`),
  ]);
  if (tables.length === 0) throw conflict(`Nothing was restored into the spare database ${name}`);
}
