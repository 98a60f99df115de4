import { companyDate } from "#core/calendar.ts";
import type { Company, QuotaShare, Spent, TakenQuota } from "#core/context.ts";
import type { Admission } from "#core/coordination.ts";
import { type DayCap, reserveQuota, returnQuota, takeAll } from "#core/quota.ts";
import type { CompanyRecord } from "#tenancy/directory.ts";
import type { Env } from "../env.ts";
import type { RequestContext } from "./request-state.ts";

/** A company with its ceiling of messages. */
export type BoundedCompany = Company & Pick<CompanyRecord, "messagesCeiling">;

const QUOTA = "messaging_quota";
const CODES = { rate: "messaging_rate_limited", cap: "messaging_daily_cap" } as const;
// The queue spaces what no key sends.
const ANY_RATE = 1_000_000;

/**
 * Takes capacity of the key's messaging quota and of the company's ceiling, and lets the reply show that minute in place of
 * the general limit, and the tighter day.
 */
export async function reserve(
  c: RequestContext,
  cost: number,
  spent: Spent,
  spentByAll: Spent,
): Promise<TakenQuota> {
  const state = c.get("state");
  const { key, startedAt } = state;
  if (key === undefined) throw new Error("A platform operation has no messaging quota");
  const { company, clientId, messagingRatePerMinute: rate, messagingDailyCap: cap } = key;
  const now = startedAt + company.clockOffsetMs;
  const day = companyDate(now, company.timezone);
  const showDay = dayShower(c);
  const limits = { name: QUOTA, clientId, rate, cap, codes: CODES };
  return takeAll([
    reserveQuota(c.env.MESSAGING_QUOTA, limits, { company, now, day, cost, spent }, (minute, told) => {
      state.shownLimit = minute;
      showDay(minute, told, true);
    }),
    ...ofCompany(c.env, { company, now, cost, spent: spentByAll }, showDay),
  ]);
}

/** Takes capacity of the company's ceiling alone, for what counts in no key's quota. */
export function reserveCeiling(c: RequestContext, cost: number, spentByAll: Spent): Promise<TakenQuota> {
  const { key, startedAt } = c.get("state");
  if (key === undefined) throw new Error("A platform operation has no messaging quota");
  const { company } = key;
  const asked = { company, now: startedAt + company.clockOffsetMs, cost, spent: spentByAll };
  return takeAll(ofCompany(c.env, asked, dayShower(c)));
}

type ShowDay = (minute: Admission, day: DayCap, isFirst?: boolean) => void;

/** Lets the reply show the tighter day, or that of the refusal which it answers: the first, where both refuse. */
function dayShower(c: RequestContext): ShowDay {
  const state = c.get("state");
  let isRefused = false;
  return ({ admitted }, day, isFirst = false) => {
    const isTighter = state.dayCap === undefined || day.remaining < state.dayCap.remaining;
    if (isRefused ? !admitted && isFirst : !admitted || isTighter) state.dayCap = day;
    isRefused ||= !admitted;
  };
}

type OwnAsked = { company: BoundedCompany; now: number; cost: number; spent: Spent };

/** Takes capacity of the company's own daily cap, which messages that no key sends count in, and of its ceiling where that is asked for. */
export function reserveOwn(
  env: Env,
  {
    company,
    now,
    cap,
    cost,
    spent,
    spentByAll,
    share,
  }: OwnAsked & { cap: number; spentByAll: Spent | undefined; share: QuotaShare | undefined },
): Promise<TakenQuota> {
  const day = companyDate(now, company.timezone);
  const own = `company:${company.id}`;
  const take = (clientId: string, most: number, spentOfIt: Spent) => {
    const limits = { name: QUOTA, clientId, rate: ANY_RATE, cap: most, codes: CODES };
    const asked = { company, now, day, cost, spent: spentOfIt };
    return reserveQuota(env.MESSAGING_QUOTA, limits, asked, () => undefined);
  };
  return takeAll([
    take(own, cap, spent),
    ...(share === undefined ? [] : [take(`${own}:${share.name}`, share.cap, share.spent)]),
    ...(spentByAll === undefined ? [] : ofCompany(env, { company, now, cost, spent: spentByAll })),
  ]);
}

/** Gives back what was reserved at an instant: of the key's quota, where one is named, and of the company's ceiling. */
export async function giveBack(
  env: Env,
  clientId: string | null,
  asked: Parameters<typeof returnQuota>[2] & { company: BoundedCompany },
): Promise<void> {
  const { company } = asked;
  const giveTo = (counter: string, given: Parameters<typeof returnQuota>[2]) =>
    returnQuota(env.MESSAGING_QUOTA, { name: QUOTA, clientId: counter }, given);
  await Promise.all([
    clientId === null ? undefined : giveTo(clientId, asked),
    company.messagesCeiling === null
      ? undefined
      : giveTo(ceilingOf(company), { ...asked, company: inUtc(company) }),
  ]);
}

/** What takes capacity of the company's ceiling; nothing where it has none. */
function ofCompany(
  env: Env,
  { company, now, cost, spent }: OwnAsked,
  showDay: ShowDay = () => undefined,
): Promise<TakenQuota>[] {
  const { messagesCeiling: cap } = company;
  if (cap === null) return [];
  const limits = { name: QUOTA, clientId: ceilingOf(company), rate: ANY_RATE, cap, codes: CODES };
  const asked = { company: inUtc(company), now, day: companyDate(now, "UTC"), cost, spent };
  return [reserveQuota(env.MESSAGING_QUOTA, limits, asked, showDay)];
}

/** A day that begins anew when the company moves to another time zone would have capacity for as much again. */
function inUtc<C extends Company>(company: C): C {
  return { ...company, timezone: "UTC" };
}

/** The counter of all that a company sends. */
function ceilingOf({ id }: BoundedCompany): string {
  return `ceiling:${id}`;
}
