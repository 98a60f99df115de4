import { logFault } from "#core/log.ts";
import type { Problem } from "#shared/problem.ts";
import { conflict } from "#tenancy/companies/spare-state.ts";
import type { ControlCtx } from "../context.ts";
import { lookAt, type Named, readStanding, takenPlace } from "./standing.ts";
import { troubleOf } from "./trouble.ts";

/**
 * The database that is to be replaced. One that cannot be marked is undefined where the operator says by its name that it
 * is lost, and is shut out for good then; otherwise 409 `conflict`.
 */
export async function previousOf(
  ctx: ControlCtx,
  name: string,
  lost: string | undefined,
): Promise<Named | undefined> {
  const found = await lookAt(ctx, name);
  if (!("trouble" in found)) return { name, database: found.database };
  if (lost !== name) throw unmarked(name, found.trouble);
  await shutOutLost(ctx, name);
  return undefined;
}

/** The 409 of a replacement whose mark the replaced database does not take. */
export function unmarked(name: string, trouble: string): Problem {
  return conflict(
    `The database ${name} ${trouble}, and has to know that it is replaced: if it is lost, say so with --lost ${name}`,
  );
}

/** Shuts out a database that is lost, as far as its provider can: sqld opens it for that, which damage may prevent. */
export async function shutOutLost(ctx: ControlCtx, name: string): Promise<void> {
  try {
    await (await ctx.plane.provisioner()).shutOut(name);
  } catch (error) {
    troubleOf(error);
    logFault("database_provider", error, name);
  }
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
