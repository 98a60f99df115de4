import { type SQL, sql } from "drizzle-orm";
import type { SystemWriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { eventAttempts as attempts, eventDeliveries as deliveries } from "#tables/events";
import { keepWanted } from "../endpoints/asked-types.ts";
import { countFailure, countSuccess } from "./judge.ts";
import type { Leased } from "./lease.ts";
import { LATE_MS, lookAt, MOST_ATTEMPTS, waitsAfter } from "./schedule.ts";
import type { Outcome } from "./send.ts";
import { chooseProbe, endpointIs, holdAll, isDisabled, isFailing, releaseHeld } from "./waiting.ts";

/** A leased delivery and its outcome. */
export type Ended = { leased: Leased; outcome: Outcome };

/**
 * Records the outcomes of leased deliveries to one endpoint, in one batch, and the effects on the endpoint. Returns
 * when deliveries of it are due (epoch ms). Idempotent.
 */
export async function settle(
  ctx: SystemWriteCtx,
  endpoint: number,
  ended: readonly Ended[],
): Promise<number[]> {
  const results = await systemWrite(ctx, [
    ...ended.flatMap((one) => effectsOf(ctx, one)),
    ...releaseHeld(ctx, sql`${endpoint}`, ctx.now + LATE_MS),
  ]);
  const moved = results.flatMap(({ rows }) => rows).filter(({ id }) => id !== null);
  return moved.map(({ due_at: at }) => Number(at));
}

function effectsOf(ctx: SystemWriteCtx, { leased, outcome }: Ended): SQL[] {
  const note = noteAttempt(leased, outcome);
  if (outcome.error !== null) return [note, ...failed(ctx, leased, outcome)];
  const success = countSuccess(ctx, sql`${leased.endpoint.id}`, isMine(leased), outcome.checkedAt);
  return [note, success, markDelivered(leased)];
}

/** Only the run that has the lease settles it. */
function isMine({ id, run }: Leased): SQL {
  return sql`EXISTS (SELECT 1 FROM ${deliveries}
    WHERE ${deliveries.id} = ${id} AND ${deliveries.lease} = ${run} AND ${deliveries.state} = 'sending')`;
}

function noteAttempt(leased: Leased, { status, error, durationMs, excerpt }: Outcome): SQL {
  return sql`INSERT INTO ${attempts} (delivery_id, n, at, status, duration_ms, error, response_excerpt)
    SELECT ${leased.id}, ${leased.attempts}, ${leased.at}, ${status}, ${durationMs}, ${error}, ${excerpt}
    WHERE ${isMine(leased)} ON CONFLICT DO NOTHING`;
}

function markDelivered({ id, run }: Leased): SQL {
  return sql`UPDATE ${deliveries} SET state = 'delivered', lease = NULL, leased_until = 0
    WHERE ${deliveries.id} = ${id} AND ${deliveries.lease} = ${run} AND ${deliveries.state} = 'sending'`;
}

/** The statements after a failure: the endpoint counts it, the delivery waits, and where the endpoint fails so do all but one. */
function failed(ctx: SystemWriteCtx, leased: Leased, outcome: Outcome): SQL[] {
  const { id, run, endpoint } = leased;
  const to = sql`${endpoint.id}`;
  const waits = waitsAfter(Math.random(), outcome.retryAfterMs);
  const own = ctx.now + (waits[leased.attempts - 1] ?? 0);
  const isLast = leased.attempts >= MOST_ATTEMPTS;
  return [
    countFailure(ctx, leased, outcome, { waits, isMine: isMine(leased) }),
    sql`UPDATE ${deliveries} SET lease = NULL, leased_until = 0, due_at = ${own}, look_at = ${lookAt(ctx, sql`${own}`)},
      state = CASE WHEN ${isLast ? 1 : 0} THEN 'failed'
        WHEN ${endpointIs(to, isDisabled)} OR ${endpointIs(to, isFailing)} THEN 'held'
        WHEN ${endpointIs(to, sql`1`)} THEN 'pending' ELSE 'skipped' END
      WHERE ${deliveries.id} = ${id} AND ${deliveries.lease} = ${run} AND ${deliveries.state} = 'sending'
      RETURNING iif(state = 'pending', id, NULL) AS id, due_at`,
    holdAll(ctx, to),
    chooseProbe(ctx, to),
    ...keepWanted(),
  ];
}
