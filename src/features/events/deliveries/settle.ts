import { type SQL, sql } from "drizzle-orm";
import type { UnattendedCtx } from "#platform/context.ts";
import { unattended } from "#platform/write/atomic.ts";
import { keepWanted } from "../endpoints/asked-types.ts";
import { eventEndpoints as endpoints } from "../endpoints/tables.ts";
import type { Claimed } from "./claim.ts";
import { LATE_MS, MOST_ATTEMPTS, QUEUED_MS, waitsAfter } from "./schedule.ts";
import type { Outcome } from "./send.ts";
import { eventAttempts as attempts, eventDeliveries as deliveries } from "./tables.ts";
import { chooseProbe, endpointIs, holdAll, isDisabled, isFailing, releaseHeld } from "./waiting.ts";

const FAILURES_TO_FAIL = 3;
const GONE = 410;

/**
 * Writes down what became of a claimed delivery, and what follows for its endpoint; gives when something of it is due (epoch
 * ms). Twice is once.
 */
export async function settle(ctx: UnattendedCtx, claimed: Claimed, outcome: Outcome): Promise<number[]> {
  const endpoint = sql`${claimed.endpoint.id}`;
  const effects =
    outcome.error === null
      ? [succeed(ctx, claimed, outcome), markDelivered(claimed)]
      : failed(ctx, claimed, outcome);
  const results = await unattended(ctx, [
    noteAttempt(claimed, outcome),
    ...effects,
    releaseHeld(ctx, endpoint, ctx.now + LATE_MS),
  ]);
  const moved = results.flatMap(({ rows }) => rows).filter(({ id }) => id !== null);
  return moved.map(({ due_at: at }) => Number(at));
}

/** Only the run that has the claim settles it. */
function isMine({ id, run }: Claimed): SQL {
  return sql`EXISTS (SELECT 1 FROM ${deliveries}
    WHERE ${deliveries.id} = ${id} AND ${deliveries.claim} = ${run} AND ${deliveries.state} = 'sending')`;
}

function noteAttempt(claimed: Claimed, { status, error, durationMs, excerpt }: Outcome): SQL {
  return sql`INSERT INTO ${attempts} (delivery_id, n, at, status, duration_ms, error, response_excerpt)
    SELECT ${claimed.id}, ${claimed.attempts}, ${claimed.at}, ${status}, ${durationMs}, ${error}, ${excerpt}
    WHERE ${isMine(claimed)} ON CONFLICT DO NOTHING`;
}

function succeed(ctx: UnattendedCtx, claimed: Claimed, { checkedAt }: Outcome): SQL {
  return sql`UPDATE ${endpoints} SET failures = 0, failing_since = NULL, probes = 0, last_success_at = ${ctx.now},
      checked_at = coalesce(${checkedAt ?? null}, ${endpoints.checkedAt})
    WHERE ${endpoints.id} = ${claimed.endpoint.id} AND ${isMine(claimed)}`;
}

function markDelivered({ id, run }: Claimed): SQL {
  return sql`UPDATE ${deliveries} SET state = 'delivered', claim = NULL, claim_until = 0
    WHERE ${deliveries.id} = ${id} AND ${deliveries.claim} = ${run} AND ${deliveries.state} = 'sending'`;
}

/**
 * The statements after a failure: the endpoint counts it, the delivery waits, and of a failing endpoint one that was tried
 * least is chosen to be tried next, so that one event which it never takes does not keep the others from it.
 */
function failed(ctx: UnattendedCtx, claimed: Claimed, outcome: Outcome): SQL[] {
  const { id, run, endpoint } = claimed;
  const to = sql`${endpoint.id}`;
  const waits = waitsAfter(Math.random(), outcome.retryAfterMs);
  const own = ctx.now + (waits[claimed.attempts - 1] ?? 0);
  const isLast = claimed.attempts >= MOST_ATTEMPTS;
  const probeWait = sql`(SELECT json_extract(${JSON.stringify(waits)}, '$[' || (${endpoints.probes} - 1) || ']')
    FROM ${endpoints} WHERE ${endpoints.id} = ${to})`;
  const probeDue = sql`(${ctx.now} + ${probeWait})`;
  return [
    countFailure(ctx, claimed, outcome),
    sql`UPDATE ${deliveries} SET claim = NULL, claim_until = 0, due_at = ${own}, look_at = ${lookAt(ctx, sql`${own}`)},
      state = CASE WHEN ${isLast ? 1 : 0} THEN 'failed'
        WHEN ${endpointIs(to, isDisabled)} OR ${endpointIs(to, isFailing)} THEN 'held'
        WHEN ${endpointIs(to, sql`1`)} THEN 'pending' ELSE 'skipped' END
      WHERE ${deliveries.id} = ${id} AND ${deliveries.claim} = ${run} AND ${deliveries.state} = 'sending'
      RETURNING iif(state = 'pending', id, NULL) AS id, due_at`,
    holdAll(ctx, to),
    chooseProbe(to, probeDue, lookAt(ctx, probeDue)),
    ...keepWanted(),
  ];
}

/**
 * Counts a failure of an endpoint that is active. The third in a row makes it failing; of what was begun before that, no
 * failure counts as a try of its own. It is disabled by 410, and by the tenth try in a row.
 */
function countFailure(ctx: UnattendedCtx, claimed: Claimed, outcome: Outcome): SQL {
  const { failures, failingSince, probes } = endpoints;
  const begins = sql`(${failingSince} IS NULL AND ${failures} + 1 >= ${FAILURES_TO_FAIL})`;
  const tried = sql`min(${FAILURES_TO_FAIL}, max(1, (SELECT min(${deliveries.attempts}) FROM ${deliveries}
    WHERE ${deliveries.endpointId} = ${endpoints.id} AND ${deliveries.state} IN ('pending', 'sending'))))`;
  const counts = sql`(${failingSince} IS NOT NULL AND ${failingSince} <= ${claimed.at})`;
  return sql`UPDATE ${endpoints} SET failures = ${failures} + 1, last_failure_at = ${ctx.now},
      checked_at = coalesce(${outcome.checkedAt ?? null}, ${endpoints.checkedAt}),
      failing_since = iif(${begins}, ${ctx.now}, ${failingSince}),
      probes = CASE WHEN ${begins} THEN ${tried} ELSE ${probes} + ${counts} END,
      disabled_reason = CASE WHEN ${outcome.status === GONE ? 1 : 0} THEN 'gone'
        WHEN ${counts} AND ${probes} + 1 >= ${MOST_ATTEMPTS} THEN 'exhausted' END
    WHERE ${endpoints.id} = ${claimed.endpoint.id} AND ${endpoints.disabledReason} IS NULL AND ${isMine(claimed)}`;
}

/** When the clock looks: at the time itself, or late enough for the job that waits on the queue. */
function lookAt({ now }: UnattendedCtx, due: SQL): SQL {
  return sql`(${due} + iif(${due} <= ${now + QUEUED_MS}, ${LATE_MS}, 0))`;
}
