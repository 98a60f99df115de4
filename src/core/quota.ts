import type { QuotaAnswer, QuotaRequest } from "#durable";
import type { ProblemCode } from "#shared/problem.ts";
import { retryLater, tooMany } from "#shared/retry.ts";
import { companyDate, dayStart, msUntilTomorrow } from "./calendar.ts";
import type { Company, TakenQuota } from "./context.ts";
import type { Admission } from "./coordination.ts";
import { logFault } from "./log.ts";

/** What an API key may spend of a quota each minute and each day, its name in the log, and the codes of its 429s. */
export type QuotaLimits = {
  name: string;
  clientId: string;
  rate: number;
  cap: number;
  codes: Record<"rate" | "cap", ProblemCode>;
};

/** How a key's cap of the company's day stands; `resetMs` is until midnight. */
export type DayCap = { limit: number; remaining: number; resetMs: number };

/** The Durable Objects that count, one for each key. */
type Counters = {
  getByName(name: string): {
    reserve(request: QuotaRequest): Promise<QuotaAnswer | null>;
    giveBack(request: QuotaRequest): Promise<void>;
  };
};

/**
 * Gives back what a key reserved at `at` and does not need, where the company's day of then is not over. An object that
 * does not answer keeps it.
 */
export async function returnQuota(
  counters: Counters,
  { name, clientId }: Pick<QuotaLimits, "name" | "clientId">,
  { company, now, cost, at }: { company: Company; now: number; cost: number; at: number },
): Promise<void> {
  const day = companyDate(at, company.timezone);
  if (day !== companyDate(now, company.timezone)) return;
  const request: QuotaRequest = { cost, now: at, day, rate: 0, cap: 0, spent: null };
  await counters
    .getByName(clientId)
    .giveBack(request)
    .catch((error: unknown) => logFault(name, error));
}

/** Takes capacity of several quotas, asked side by side, or of none: where one refuses, what the others gave is given back. */
export async function takeAll(asked: readonly Promise<TakenQuota>[]): Promise<TakenQuota> {
  const taken = await Promise.allSettled(asked);
  const giveBack = async () => {
    await Promise.all(taken.map((one) => (one.status === "fulfilled" ? one.value.giveBack() : undefined)));
  };
  const refused = taken.find((one) => one.status === "rejected");
  if (refused === undefined) return { giveBack };
  await giveBack();
  throw refused.reason;
}

/** What is asked for; `spent` looks up what the key has had since an instant (epoch ms). */
type Asked = {
  company: Company;
  now: number;
  day: string;
  cost: number;
  spent: (since: number) => Promise<number>;
};

/**
 * Takes capacity for `cost` of a key's quota, or throws 429 with a true Retry-After; `show` is given how the limits stand.
 * An object that does not answer is 503: what guards a bill fails closed. One that starts empty gets what was spent.
 */
export async function reserveQuota(
  counters: Counters,
  { name, clientId, rate, cap, codes }: QuotaLimits,
  { company, now, day, cost, spent }: Asked,
  show: (minute: Admission, day: DayCap) => void,
): Promise<TakenQuota> {
  const counter = counters.getByName(clientId);
  const request: QuotaRequest = { cost, now, day, rate, cap, spent: null };
  const ask = (asked: QuotaRequest) =>
    counter.reserve(asked).catch((error: unknown) => {
      logFault(name, error);
      throw retryLater("unavailable", 1_000);
    });
  const known = await ask(request);
  const answer = known ?? (await ask({ ...request, spent: await spent(dayStart(day, company.timezone)) }));
  if (answer === null) throw retryLater("unavailable", 1_000);
  const { refused, remaining, resetMs, capRemaining } = answer;
  const midnightMs = msUntilTomorrow(now, company.timezone);
  show(
    { admitted: refused === null, limit: rate, remaining, resetMs },
    { limit: cap, remaining: capRemaining, resetMs: midnightMs },
  );
  if (refused !== null) throw tooMany(codes[refused], refused === "cap" ? midnightMs : resetMs);
  return {
    giveBack: () => counter.giveBack(request).catch((error: unknown) => logFault(name, error)),
  };
}
