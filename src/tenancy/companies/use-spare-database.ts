import { and, eq, type SQL, sql } from "drizzle-orm";
import { Database, type DatabaseAddress } from "#core/database/database.ts";
import { atomic, refuseIfNone, takeTurn } from "#core/write/atomic.ts";
import { recall } from "#core/write/replay.ts";
import { COMPANY_MIGRATIONS } from "#migrations";
import { auditHeads, companies } from "#tables/tenancy";
import { previousOf, requireUnreplaced } from "#tenancy/generations/places.ts";
import { putInPlace } from "#tenancy/generations/put-in-place.ts";
import { lookAt, type Named, takenPlace } from "#tenancy/generations/standing.ts";
import { troubleOf } from "#tenancy/generations/trouble.ts";
import { migrate } from "#tenancy/migrations/migrate.ts";
import { encryptToken } from "#tenancy/migrations/migrate-companies.ts";
import { schemaNumber } from "#tenancy/migrations/schema-number.ts";
import type { ControlCtx } from "../context.ts";
import { forgetCompany } from "../directory.ts";
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

  const { next, address } = await filled(ctx, name);
  await migrate(next.database, COMPANY_MIGRATIONS, ctx.now);
  await requireUnreplaced(ctx, next, found.own);
  const previous = await previousOf(ctx, found.own, lost);
  if (previous !== undefined) await requireUnreplaced(ctx, previous, name);
  const generation = await putInPlace(ctx, slug, { next, previous, known: found.generation, lost });
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
  const found = spare === null ? undefined : await lookAt(ctx, spare);
  if (found !== undefined && !("trouble" in found) && found.standing.mark === null)
    throw conflict(`${spare} does not bear that it is replaced: use that one, and this one after it`);
}

/** Takes from a company's own database the mark of a replacement that was not completed. Gives its generation. */
export async function endReplacement(
  ctx: ControlCtx,
  slug: string,
  { own, generation }: Pick<SpareState, "own" | "generation">,
  lost?: string,
): Promise<number> {
  const found = await lookAt(ctx, own);
  const mark = "trouble" in found ? null : found.standing.mark;
  if ("trouble" in found || mark === null) return generation;
  const taken = await takenPlace(ctx, mark);
  if (taken === "yes")
    throw conflict(
      `${mark.by} has taken the place of ${own}: use that one, which completes it, or run \`company-ops adopt\``,
    );
  if (taken !== "no" && lost !== mark.by)
    throw conflict(
      `${own} was replaced by ${mark.by}, which ${taken.trouble}: if that is lost, say so with --lost ${mark.by}`,
    );
  const other = await lookAt(ctx, mark.by);
  const previous = "trouble" in other ? undefined : { name: mark.by, database: other.database };
  const next = { name: own, database: found.database };
  return putInPlace(ctx, slug, { next, previous, known: generation, lost });
}

/** The head of the audit log belongs to the replaced database; the next run of the chain records the new one's. */
export function forgetHead(slug: string): SQL {
  const id = sql`(SELECT ${companies.id} FROM ${companies} WHERE ${finished(slug)})`;
  return sql`DELETE FROM ${auditHeads} WHERE ${auditHeads.companyId} = ${id}`;
}

/** The spare database of this name, let in again. Throws 409 `conflict` where it cannot be read, or nothing is in it. */
async function filled(ctx: ControlCtx, name: string): Promise<{ next: Named; address: DatabaseAddress }> {
  const provisioner = await ctx.plane.provisioner();
  try {
    await provisioner.letIn(name);
    const address = await provisioner.address(name);
    const database = new Database(address);
    const [tables] = await database.read([
      database.build.all(sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'profile'`),
    ]);
    if (tables.length > 0) return { next: { name, database }, address };
  } catch (error) {
    throw conflict(`The spare database ${name} ${troubleOf(error)}, so it cannot be used`);
  }
  throw conflict(`Nothing was restored into the spare database ${name}`);
}
