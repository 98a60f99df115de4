import type { SQL } from "drizzle-orm";
import type {
  BackgroundCtx,
  CoordinationCtx,
  IdCtx,
  OutsideCtx,
  ReadCtx,
  TakenQuota,
  WriteCtx,
} from "#core/context.ts";
import { atomic, takeTurn } from "#core/write/atomic.ts";
import { AlreadyDone } from "#core/write/replay.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { dispatchTask } from "../dispatch/jobs.ts";
import { newMessageId } from "../timed-ids.ts";
import { type AcceptedRow, selectAccepted } from "./accepted.ts";
import type { Warning } from "./schema.ts";
import { spentByAll, spentByKey } from "./spent-quota.ts";
import { type NewMessage, storeMessage } from "./store-message.ts";

/** All that a send takes. */
export type SendCtx = WriteCtx & IdCtx & BackgroundCtx & CoordinationCtx & OutsideCtx;

export type Accepted = Pick<AcceptedRow, "id" | "recipients" | "send_at">;

const FARTHEST_MS = 30 * DAY_MS;
/** What goes out sooner waits in the queue; anything later is found by the company's clock. */
const QUEUED_MS = MINUTE_MS;

/**
 * Accepts a message, whose recipients count against the key's quota. Capacity is taken after the call's turn has come,
 * so that a replay takes none. It is given back when nothing was stored.
 */
export async function acceptMessage(
  ctx: SendCtx,
  message: NewMessage,
  warnings: readonly Warning[] = [],
  guards: readonly SQL[] = [],
): Promise<AcceptedRow> {
  const id = newMessageId(ctx);
  const all: Warning[] = message.provider.paused ? ["provider_paused", ...warnings] : [...warnings];
  // Before the quota is taken. atomic() waits for the same turn, which has come by then.
  await takeTurn(ctx);
  requireAhead(ctx, message.sendAt);
  const taken = await ctx.reserveQuota(
    message.recipients.length,
    (since) => spentByKey(ctx, since),
    (since) => spentByAll(ctx, since),
  );
  return acceptWithin(ctx, taken, () =>
    atomic(ctx, [...guards, ...storeMessage(ctx, id, message)], selectAccepted(id, all)),
  );
}

/** The same of what counts in the company's ceiling alone. */
export async function acceptUnderCeiling<Row extends Accepted>(
  ctx: SendCtx,
  cost: number,
  write: () => Promise<Row>,
): Promise<Row> {
  await takeTurn(ctx);
  return acceptWithin(ctx, await ctx.reserveCeiling(cost, (since) => spentByAll(ctx, since)), write);
}

/**
 * Accepts within capacity that was taken, and queues one job for its recipients; the company's clock finds what the queue
 * did not take. The capacity is given back when nothing was stored.
 */
export async function acceptWithin<Row extends Accepted>(
  ctx: BackgroundCtx & ReadCtx,
  { giveBack }: TakenQuota,
  write: () => Promise<Row>,
): Promise<Row> {
  try {
    const row = await write();
    const waits = (row.send_at ?? 0) - ctx.now;
    if (waits <= QUEUED_MS && row.recipients.some(({ error }) => error === null))
      ctx.afterwards(ctx.enqueue([dispatchTask(row.id)], Math.max(0, Math.ceil(waits / 1_000))));
    return row;
  } catch (error) {
    if (storedNothing(error)) await giveBack();
    throw error;
  }
}

/** Throws 422 unless a time at which to send lies ahead, and not too far. */
export function requireAhead({ now }: ReadCtx, sendAt: number | undefined): void {
  if (sendAt === undefined || (sendAt > now && sendAt <= now + FARTHEST_MS)) return;
  throw fieldProblem("send_at", "invalid_value", "must lie ahead, and at most 30 days");
}

/** Whether an error proves that nothing of this call was stored. */
function storedNothing(error: unknown): boolean {
  return error instanceof AlreadyDone || (error instanceof Problem && error.code !== "outcome_unknown");
}
