import type { Database } from "#core/database/database.ts";
import { Problem } from "#shared/problem.ts";
import { conflict } from "#tenancy/companies/spare-state.ts";
import type { ControlCtx } from "../context.ts";
import type { Named } from "./put-in-place.ts";
import { databaseNamed, readStanding, takenPlace } from "./standing.ts";

/**
 * The database that is to be replaced. One that does not answer is undefined where the operator says by its name that it
 * is lost, and is shut out for good then; otherwise 409 `conflict`.
 */
export async function previousOf(
  ctx: ControlCtx,
  name: string,
  lost: string | undefined,
): Promise<Named | undefined> {
  const database = await answering(ctx, name);
  if (database !== undefined) return { name, database };
  if (lost !== name)
    throw conflict(
      `The database ${name} does not answer, and has to know that it is replaced: if it is lost, say so with --lost ${name}`,
    );
  await (await ctx.plane.provisioner()).shutOut(name);
  return undefined;
}

/** Throws 409 `conflict` where another database than `expected` has taken the place of this one. */
export async function requireUnreplaced(
  ctx: ControlCtx,
  { name, database }: Named,
  expected: string,
): Promise<void> {
  const mark = (await readStanding(database))?.mark;
  if (mark == null || mark.by === expected || (await takenPlace(ctx, mark)) === "no") return;
  throw conflict(
    `${mark.by} has taken the place of ${name}: \`company-ops adopt\` puts the right one in its place`,
  );
}

/** The database of this name, where it is there and answers. */
export async function answering(ctx: ControlCtx, name: string): Promise<Database | undefined> {
  try {
    const database = await databaseNamed(ctx, name);
    if (database !== undefined) await readStanding(database);
    return database;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
