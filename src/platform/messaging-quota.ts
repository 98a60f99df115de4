import type { MessagingQuota, QuotaRequest } from "#durable";
import { retryLater, tooMany } from "#shared/retry.ts";
import { msUntilTomorrow } from "./calendar.ts";
import type { Company } from "./context.ts";
import type { Admission } from "./coordination.ts";
import { logFault } from "./log.ts";

const CODES = { rate: "messaging_rate_limited", cap: "messaging_daily_cap" } as const;

/** An API key's limits of messaging. */
export type MessagingLimits = { clientId: string; rate: number; cap: number };

/** How a key's cap of the company's day stands; `resetMs` is until midnight. */
export type DayCap = { limit: number; remaining: number; resetMs: number };

/** Room that a send has taken; `giveBack` when nothing of it was stored. */
export type Reservation = { giveBack: () => Promise<void> };

/**
 * Takes room for `cost` messages of a key, or throws 429 with a true Retry-After; `show` is given how the limits stand.
 * An object that does not answer is 503: what guards a bill fails closed.
 */
export async function reserveMessages(
  objects: DurableObjectNamespace<MessagingQuota>,
  { clientId, rate, cap }: MessagingLimits,
  { company, now, day, cost }: { company: Company; now: number; day: string; cost: number },
  show: (minute: Admission, day: DayCap) => void,
): Promise<Reservation> {
  const object = objects.getByName(clientId);
  const request: QuotaRequest = { cost, now, day, rate, cap };
  const { refused, remaining, resetMs, capRemaining } = await object
    .reserve(request)
    .catch((error: unknown) => {
      logFault("messaging_quota", error);
      throw retryLater("unavailable", 1_000);
    });
  const midnightMs = msUntilTomorrow(now, company.timezone);
  show(
    { admitted: refused === null, limit: rate, remaining, resetMs },
    { limit: cap, remaining: capRemaining, resetMs: midnightMs },
  );
  if (refused !== null) throw tooMany(CODES[refused], refused === "cap" ? midnightMs : resetMs);
  return {
    giveBack: () => object.giveBack(request).catch((error: unknown) => logFault("messaging_quota", error)),
  };
}
