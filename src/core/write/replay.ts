import { sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import type { Query } from "#core/database/database.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { Problem, type ProblemCode } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { operations } from "#tables/core";
import type { CallCtx } from "../context.ts";
import { lookUpExternal, settleExternal } from "./external-ids.ts";

/** Remembered for a day when the client sent a key, for as long as our own retries may take when it did not. */
export const KEYED_MS = DAY_MS;
export const UNKEYED_MS = 15 * MINUTE_MS;
/** A refusal: longer than an abandoned attempt can still take to arrive. */
export const REFUSED_MS = MINUTE_MS;

/** Thrown, and caught by the pipeline, when the operation is found to be done, or its dry run is: its snapshot answers the call. */
export class AlreadyDone extends Error {
  readonly row: unknown;
  /** True when an attempt of this very call committed, and only its answer was lost. */
  readonly byThisCall: boolean;

  constructor(row: unknown, byThisCall: boolean) {
    super("already done");
    this.row = row;
    this.byThisCall = byThisCall;
  }
}

/**
 * Reads in one batch. Where the client sent a key, the batch begins with the look-up of what that key did before; then
 * comes the look-up of its own id of the record that it makes, once.
 */
export async function read<const Queries extends readonly [Query, ...Query[]]>(
  ctx: CallCtx,
  queries: Queries,
): Promise<BatchResponse<Queries>> {
  const own = ctx.call.externalId;
  if (own !== undefined && own.hashes === undefined) {
    const [cells, ...rest] = await readKeyed(ctx, [lookUpExternal(ctx, own), ...queries]);
    await settleExternal(ctx, own, cells);
    return rest as BatchResponse<Queries>;
  }
  return readKeyed(ctx, queries);
}

async function readKeyed<const Queries extends readonly [Query, ...Query[]]>(
  ctx: CallCtx,
  queries: Queries,
): Promise<BatchResponse<Queries>> {
  if (ctx.call.fingerprint === null) return ctx.database.read(queries);
  const [found, ...rest] = await ctx.database.read([lookUp(ctx), ...queries]);
  if (found.length > 0) {
    // Its call may still run, and add to its answer what an outside service said.
    await waitAlone(ctx);
    await recall(ctx, false);
  }
  return rest as BatchResponse<Queries>;
}

/** Looks up the own id of a call, where it has one and nothing was read yet. */
export async function lookUpOwn(ctx: CallCtx): Promise<void> {
  const own = ctx.call.externalId;
  if (own === undefined || own.hashes !== undefined) return;
  const [cells] = await readKeyed(ctx, [lookUpExternal(ctx, own)]);
  await settleExternal(ctx, own, cells);
}

/** Waits until no equal call runs; throws 409 when one runs for too long. Gives whether one has just succeeded. */
export async function waitAlone(ctx: CallCtx): Promise<boolean> {
  const gate = await ctx.call.gate;
  if (gate === "busy") throw retryLater("idempotency_key_in_use", 1_000);
  return gate === "finished";
}

/** Looks up an operation that is known to have been done: throws `AlreadyDone`, or the problem it was refused with. */
export async function recall(ctx: CallCtx, byThisCall: boolean): Promise<void> {
  const [found] = await ctx.database.read([lookUp(ctx)]).catch(asOutcomeUnknown);
  replayIfDone(ctx, found, byThisCall);
}

/** Throws an error of a database that did not serve us as `outcome_unknown`, where something was done before. */
export function asOutcomeUnknown(error: unknown): never {
  throw isUnserved(error) ? outcomeUnknown() : error;
}

const UNSERVED = new Set<ProblemCode>(["unavailable", "database_blocked", "upgrading"]);

/** Whether the database did not serve the call, so that the call did nothing. */
export function isUnserved(error: unknown): error is Problem {
  return error instanceof Problem && UNSERVED.has(error.code);
}

/** A call with an Idempotency-Key that did nothing says nothing of an earlier one under the key. The error says so. */
export function ofThisCallOnly(error: unknown): unknown {
  if (!isUnserved(error)) return error;
  const message = `${error.message}. What an earlier call with this Idempotency-Key did is not known: send it again with the key`;
  return new Problem(error.code, { ...error.details, message });
}

/** A 503: the call may have been done, and the same call again finds out. */
export function outcomeUnknown(): Problem {
  return retryLater("outcome_unknown", 1_000);
}

/** A problem as `refused` holds it, with all that its reply needs. */
export function problemText({ code, details }: Problem): string {
  return JSON.stringify({ code, details });
}

function lookUp({ call: { idempotencyRecordKey }, now }: CallCtx) {
  return selectDone({ idempotencyRecordKey, now });
}

const selectDone = keptQuery((db, given: Given<{ idempotencyRecordKey: string; now: number }>) =>
  db
    .select({
      fingerprint: operations.fingerprint,
      snapshot: operations.snapshot,
      refused: operations.refused,
    })
    .from(operations)
    .where(
      sql`${operations.idempotencyRecordKey} = ${given.idempotencyRecordKey} AND ${operations.expiresAt} > ${given.now}`,
    ),
);

type Found = { fingerprint: string; snapshot: string | null; refused: string | null }[];

function replayIfDone(ctx: CallCtx, found: Found, byThisCall: boolean): void {
  const [done] = found;
  if (done === undefined) return;
  if (done.fingerprint !== (ctx.call.fingerprint ?? "")) throw new Problem("idempotency_key_reused");
  if (done.refused !== null) {
    const { code, details }: Pick<Problem, "code" | "details"> = JSON.parse(done.refused);
    throw new Problem(code, details);
  }
  throw new AlreadyDone(JSON.parse(done.snapshot ?? "null"), byThisCall);
}
