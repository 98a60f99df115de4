import { type SQL, sql } from "drizzle-orm";
import { HOUR_MS, MINUTE_MS } from "#shared/time/durations.ts";

/** After so many attempts a delivery has failed, and after so many tries in a row an endpoint is disabled. */
export const MOST_ATTEMPTS = 10;

// Ten attempts in about 76 hours, as Standard Webhooks advises.
const WAITS_MS = [
  5_000,
  5 * MINUTE_MS,
  ...[0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
] as const;
const JITTER = 0.2;
const MOST_ASKED_MS = HOUR_MS;

/** What waits no longer than this rides on the queue; the rest waits in its row, for the company's clock. */
export const QUEUED_MS = 15 * MINUTE_MS;
/** By how much the queue and the clock of a run may differ. */
export const SKEW_MS = 2_000;
/** For how long a delivery is a run's: longer than all that it may take, its name, its request, and the database's retries. */
export const LEASE_MS = MINUTE_MS;
/** How long its job may be late before the clock queues another. */
export const LATE_MS = MINUTE_MS;

/**
 * How long to wait (ms) after each attempt, the first one's first: give or take a fifth by `random` (0 to 1), and no
 * shorter than a receiver asks for, up to an hour.
 */
export function waitsAfter(random: number, retryAfterMs = 0): number[] {
  const asked = Math.min(retryAfterMs, MOST_ASKED_MS);
  return WAITS_MS.map((wait) => Math.max(Math.round(wait * (1 + JITTER * (2 * random - 1))), asked));
}

/** When the clock looks at what is due then: at the time itself, or late enough for the job that waits on the queue. */
export function lookAt({ now }: { now: number }, due: SQL): SQL {
  return sql`(${due} + iif(${due} <= ${now + QUEUED_MS}, ${LATE_MS}, 0))`;
}
