import { companyDate } from "#platform/calendar.ts";
import type { Company, TakenQuota } from "#platform/context.ts";
import type { Admission } from "#platform/coordination.ts";
import { type DayCap, reserveQuota, returnQuota } from "#platform/quota.ts";
import type { Env } from "../env.ts";
import type { RequestContext } from "./request-state.ts";

type Spent = (since: number) => Promise<number>;

const QUOTA = "messaging_quota";
const CODES = { rate: "messaging_rate_limited", cap: "messaging_daily_cap" } as const;
// The queue spaces what no key sends.
const ANY_RATE = 1_000_000;

/** Takes room of the key's messaging quota, and lets the reply show that limit in place of the general one. */
export async function reserve(c: RequestContext, cost: number, spent: Spent): Promise<TakenQuota> {
  const state = c.get("state");
  const { key, startedAt } = state;
  if (key === undefined) throw new Error("A platform operation has no messaging quota");
  const { company, clientId, messagingRatePerMinute: rate, messagingDailyCap: cap } = key;
  const now = startedAt + company.clockOffsetMs;
  const day = companyDate(now, company.timezone);
  const show = (minute: Admission, dayCap: DayCap) => {
    state.shownLimit = minute;
    state.dayCap = dayCap;
  };
  const limits = { name: QUOTA, clientId, rate, cap, codes: CODES };
  return reserveQuota(c.env.MESSAGING_QUOTA, limits, { company, now, day, cost, spent }, show);
}

/** Takes room of the company's own daily cap, which messages that no key sends count in. */
export function reserveOwn(
  env: Env,
  {
    company,
    now,
    cap,
    cost,
    spent,
  }: { company: Company; now: number; cap: number; cost: number; spent: Spent },
): Promise<TakenQuota> {
  const limits = { name: QUOTA, clientId: `company:${company.id}`, rate: ANY_RATE, cap, codes: CODES };
  const day = companyDate(now, company.timezone);
  return reserveQuota(env.MESSAGING_QUOTA, limits, { company, now, day, cost, spent }, () => undefined);
}

/** Gives back what a key had reserved at an instant. */
export function giveBack(
  env: Env,
  clientId: string,
  asked: Parameters<typeof returnQuota>[2],
): Promise<void> {
  return returnQuota(env.MESSAGING_QUOTA, { name: QUOTA, clientId }, asked);
}
