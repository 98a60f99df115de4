import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import {
  eventAttempts as attempts,
  eventDeliveries as deliveries,
  eventEndpoints as endpoints,
} from "#tables/events";
import type { Leased } from "./lease.ts";
import { MOST_ATTEMPTS, SKEW_MS } from "./schedule.ts";
import type { Outcome } from "./send.ts";

// An endpoint is failing once the last five failed, and three in four of the last twenty. One that fails one request in
// four gets there about once in a million requests: it takes more than it is sent, and is not to be put off.
const WINDOW = 20;
const IN_A_ROW = 5;
const GONE = 410;

/** The statement that counts a success of an endpoint, which ends its failing; only where `condition` holds. */
export function countSuccess({ now }: ReadCtx, endpoint: SQL, condition: SQL, checkedAt?: number): SQL {
  return sql`UPDATE ${endpoints} SET outcomes = ${withOutcome(".")}, failures = 0, failing_since = NULL, probes = 0,
      probe_at = 0, last_success_at = ${now}, checked_at = coalesce(${checkedAt ?? null}, ${endpoints.checkedAt})
    WHERE ${endpoints.id} = ${endpoint} AND ${condition}`;
}

/**
 * The statement that counts a failure of an endpoint that is active. While it fails, only what was begun when its next try
 * was due counts as that try: of those that run side by side one does. It is disabled by 410, by the tenth try in a row, and
 * by a delivery that has failed for good where nothing was taken since it was first sent.
 */
export function countFailure(
  { now }: ReadCtx,
  leased: Leased,
  { status, checkedAt }: Outcome,
  { waits, isMine }: { waits: readonly number[]; isMine: SQL },
): SQL {
  const { failures, failingSince, probes, probeAt } = endpoints;
  const window = withOutcome("x");
  const failed = sql`length(${window}) - length(replace(${window}, 'x', ''))`;
  const begins = sql`(${failingSince} IS NULL AND ${failures} + 1 >= ${IN_A_ROW}
    AND 4 * (${failed}) >= 3 * length(${window}))`;
  const counts = sql`(${failingSince} IS NOT NULL AND ${probeAt} <= ${leased.at + SKEW_MS})`;
  // Where all that is open was tried so often already, the next try is as late as theirs.
  const tried = sql`min(${IN_A_ROW}, max(1, (SELECT min(${deliveries.attempts}) FROM ${deliveries}
    WHERE ${deliveries.endpointId} = ${endpoints.id} AND ${deliveries.state} IN ('pending', 'sending'))))`;
  const after = (tries: SQL) =>
    sql`${now} + coalesce(json_extract(${JSON.stringify(waits)}, '$[' || (${tries} - 1) || ']'), 0)`;
  const isLast = sql`${leased.attempts} >= ${MOST_ATTEMPTS} AND coalesce(${endpoints.lastSuccessAt}, 0) <
    (SELECT min(${attempts.at}) FROM ${attempts} WHERE ${attempts.deliveryId} = ${leased.id})`;
  return sql`UPDATE ${endpoints} SET outcomes = ${window}, failures = ${failures} + 1, last_failure_at = ${now},
      checked_at = coalesce(${checkedAt ?? null}, ${endpoints.checkedAt}),
      failing_since = iif(${begins}, ${now}, ${failingSince}),
      probes = CASE WHEN ${begins} THEN ${tried} ELSE ${probes} + ${counts} END,
      probe_at = CASE WHEN ${begins} THEN ${after(tried)} WHEN ${counts} THEN ${after(sql`${probes} + 1`)}
        ELSE ${probeAt} END,
      disabled_reason = CASE WHEN ${status === GONE ? 1 : 0} THEN 'gone'
        WHEN (${counts} AND ${probes} + 1 >= ${MOST_ATTEMPTS}) OR (${isLast}) THEN 'exhausted' END
    WHERE ${endpoints.id} = ${leased.endpoint.id} AND ${endpoints.disabledReason} IS NULL AND ${isMine}`;
}

function withOutcome(outcome: "." | "x"): SQL {
  return sql`substr(${endpoints.outcomes} || ${outcome}, ${-WINDOW})`;
}
