import type { SQLWrapper } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import { takeTurn } from "#core/write/atomic.ts";
import { AlreadyDone, recall } from "#core/write/replay.ts";
import { Problem } from "#shared/problem.ts";
import type { ControlCtx } from "../context.ts";
import { forgetCompany } from "../directory.ts";
import { mendCopies } from "./mend-copies.ts";
import { writeTold } from "./write-told.ts";

export type CopiedWrite<Row> = {
  slug: string;
  /** Whether the write takes a right away. Its copy is written first then, so that no crash leaves only the copy behind. */
  takesAway: boolean;
  clientId?: string;
  /** Of a write that takes away: `harmless` where its copy may be written again, `known` where a replay ends before. */
  repeat?: "harmless" | "known";
  copy: (row?: Row) => readonly SQLWrapper[];
  write: () => Promise<Row>;
};

/**
 * Does a write on the control database, and the same on the copy in the company's own. A copy that cannot be written
 * fails no call: the hourly jobs write it later. A refused write leaves the copy as the control database is. What this
 * isolate knew of the company is forgotten.
 */
export async function withCopy<Row>(ctx: ControlCtx, copied: CopiedWrite<Row>): Promise<Row> {
  const { slug, takesAway, clientId, copy, write } = copied;
  if (!takesAway) {
    const row = await write();
    await quietly(ctx, slug, (database) => writeTold(database, ctx, copy(row)));
    forgetCompany(slug);
    return row;
  }
  await takeTurn(ctx);
  // What a replay would write to the copy may be out of date.
  if (ctx.call.fingerprint !== null && copied.repeat === undefined) await recall(ctx, false);
  await quietly(ctx, slug, (database) => writeTold(database, ctx, copy()));
  try {
    const row = await write();
    forgetCompany(slug);
    return row;
  } catch (error) {
    const mayBeDone = error instanceof Problem && error.code === "outcome_unknown";
    if (error instanceof AlreadyDone && copied.repeat === "harmless") throw error;
    const undone = { slug, now: ctx.now, undone: ctx.now, ...(clientId === undefined ? {} : { clientId }) };
    if (!mayBeDone) await quietly(ctx, slug, (database) => mendCopies(ctx.database, database, undone));
    throw error;
  }
}

async function quietly(
  ctx: ControlCtx,
  slug: string,
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  const { plane, now } = ctx;
  try {
    const address = await plane.addressOf(slug, now);
    if (address !== null) await work(Database.ofCompany(address));
    ctx.afterwards(plane.wakeClock(slug, now));
  } catch (error) {
    logFault("key_copies", error, slug);
  }
}
