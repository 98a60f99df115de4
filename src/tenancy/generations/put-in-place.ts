import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { databaseGeneration } from "#tables/tenancy/own-database";
import { mendCopies } from "#tenancy/registry-backup/mend-copies.ts";
import type { ControlCtx } from "../context.ts";
import { shutOutLost, unmarked } from "./places.ts";
import { type Named, readStanding } from "./standing.ts";
import { troubleOf } from "./trouble.ts";

type Change = { next: Named; previous: Named | undefined; known: number; lost: string | undefined };

/**
 * Puts one database in the place of another, for which it first writes into that one that it is replaced. Each step
 * leaves one of the two in its place, so that after a crash the same command completes it. Gives the generation, higher
 * than any of the two and than `known`, which the control database has. Throws 409 `conflict` where the replaced one does
 * not take the mark, and the operator does not say that it is lost.
 */
export async function putInPlace(
  ctx: ControlCtx,
  slug: string,
  { next, previous, known, lost }: Change,
): Promise<number> {
  const generation = (await highest(known, next.database, previous?.database)) + 1;
  if (previous !== undefined) {
    // A spare one is marked from its beginning, so that it is never taken for the company's own.
    await next.database.write([markUnmarked(previous.name, ctx.now)]);
    await mark(ctx, previous, markAs(next.name, generation, ctx.now), lost);
  }
  await mendCopies(ctx.database, next.database, { slug, now: ctx.now });
  await next.database.write([
    sql`UPDATE ${databaseGeneration} SET generation = ${generation}, replaced_by = NULL, replaced_generation = NULL,
      replaced_at = NULL`,
  ]);
  return generation;
}

async function mark(
  ctx: ControlCtx,
  { name, database }: Named,
  statement: SQL,
  lost: string | undefined,
): Promise<void> {
  try {
    await database.write([statement]);
  } catch (error) {
    const trouble = troubleOf(error);
    if (lost !== name) throw unmarked(name, trouble);
    await shutOutLost(ctx, name);
  }
}

async function highest(known: number, ...databases: (Database | undefined)[]): Promise<number> {
  const standings = await Promise.all(databases.map((one) => (one === undefined ? null : readStanding(one))));
  const generations = standings.flatMap((one) =>
    one === null ? [] : [one.generation, one.mark?.generation ?? 0],
  );
  return Math.max(known, ...generations);
}

function markUnmarked(by: string, now: number): SQL {
  // Every generation is 1 or more: the one that replaces it has its place already.
  return sql`UPDATE ${databaseGeneration} SET replaced_by = ${by}, replaced_generation = 1, replaced_at = ${now}
    WHERE replaced_by IS NULL`;
}

function markAs(by: string, generation: number, now: number): SQL {
  return sql`UPDATE ${databaseGeneration} SET replaced_by = ${by}, replaced_generation = ${generation},
    replaced_at = ${now}`;
}
