import type { MessagingQuota, QuotaRequest } from "#durable";
import { Problem } from "#shared/problem.ts";
import { msUntilTomorrow } from "./calendar.ts";
import type { Company } from "./context.ts";
import { type Admission, retryAfter } from "./coordination.ts";
import { logFault } from "./log.ts";

/** An API key's limits of messaging. */
export type MessagingLimits = { clientId: string; rate: number; cap: number };

/** Room that a send has taken; `giveBack` when nothing of it was stored. */
export type Reservation = { admission: Admission; giveBack: () => Promise<void> };

/**
 * Takes room for `cost` messages of a key, or throws 429 with a true Retry-After. An object that does not answer is 503:
 * what guards a bill fails closed.
 */
export async function reserveMessages(
  objects: DurableObjectNamespace<MessagingQuota>,
  { clientId, rate, cap }: MessagingLimits,
  { company, now, day, cost }: { company: Company; now: number; day: string; cost: number },
): Promise<Reservation> {
  const object = objects.getByName(clientId);
  const request: QuotaRequest = { cost, now, day, rate, cap };
  const { refused, remaining, resetMs } = await object.reserve(request).catch((error: unknown) => {
    logFault("messaging_quota", error);
    throw new Problem("unavailable", { headers: { "Retry-After": "1" } });
  });
  if (refused === "cap") throw refusal("messaging_daily_cap", msUntilTomorrow(now, company.timezone));
  if (refused === "rate") throw refusal("messaging_rate_limited", resetMs);
  return {
    admission: { admitted: true, limit: rate, remaining, resetMs },
    giveBack: () => object.giveBack(request).catch((error: unknown) => logFault("messaging_quota", error)),
  };
}

function refusal(code: "messaging_daily_cap" | "messaging_rate_limited", waitMs: number): Problem {
  const seconds = retryAfter(waitMs);
  return new Problem(code, {
    members: { retry_after: seconds },
    headers: { "Retry-After": String(seconds) },
  });
}
