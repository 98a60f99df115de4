import type { Ctx } from "#platform/context.ts";

/**
 * Runs `write` on what is being read, in its turn among those who want the same instructor on the same day. The turn only
 * spares the database the racers: the overlap rule decides.
 */
export async function inTurn<Basis, Result>(
  ctx: Ctx,
  slot: string,
  reading: Promise<Basis>,
  write: (basis: Basis) => Promise<Result>,
): Promise<Result> {
  const turn = ctx.takeTurn(slot);
  try {
    const [basis] = await Promise.all([reading, turn]);
    return await write(basis);
  } finally {
    ctx.afterwards(turn.then((leave) => leave()));
  }
}
