import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx, WriteCtx } from "#core/context.ts";
import type { Refusals } from "#core/write/atomic.ts";
import { Problem } from "#shared/problem.ts";
import { tooMany } from "#shared/retry.ts";
import { profile } from "#tables/company";
import type { SettingsRow } from "../settings/settings.ts";
import type { Day } from "./hold-counts.ts";
import { type Asked, type Limit, limitsOf, moveLimits } from "./hold-limits.ts";
import { captchaProblem } from "./puzzle.ts";

/** Whose limit is reached: the visitor's own, or that of the addresses they share with others. */
type HoldLimit = "own" | "address" | "day";
type Reached = { limit: HoldLimit; live: number; at: number | null };

/** The refusals of a booking that is made: the 429 says whose limit is reached, and what helps. */
export function holdRefusals(
  ctx: ReadCtx,
  asked: Asked,
  settings: Pick<SettingsRow, "turnstile_site_key">,
): Refusals {
  return {
    too_many_holds: () => tooManyHolds(ctx, limitsOf(ctx, asked)),
    captcha_required: () => captchaProblem("captcha_required", settings),
    captcha_failed: () => captchaProblem("captcha_failed", settings),
  };
}

/** The 429 of a day of which enough is held, for a booking that is moved to it. */
export function moveRefusals(ctx: WriteCtx, id: string, day: Day): Refusals {
  return { too_many_holds: () => tooManyHolds(ctx, moveLimits(ctx, id, day)) };
}

async function tooManyHolds(ctx: ReadCtx, limits: readonly Limit[]): Promise<Problem> {
  const [found, [school]] = await ctx.database.read([
    ctx.db.all<Reached>(sql.join(limits.map(reachedIn), sql` UNION ALL `)),
    ctx.db.select({ phone: profile.phone }).from(profile),
  ]);
  // What has ended meanwhile leaves none of them.
  const [first = { limit: "address", live: 0, at: null }] = found;
  const { limit, live } = first;
  const phone = school?.phone ?? null;
  const until = Math.max(0, ...found.map(({ at }) => at ?? 0));
  const { details } = tooMany("too_many_holds", until - ctx.now, () => wordsOf(limit, live, phone));
  return new Problem("too_many_holds", { ...details, members: { ...details.members, limit, phone } });
}

function reachedIn({ of, tally, full, dayFull }: Limit): SQL {
  const own = of === "own";
  const limit = own ? sql`'own'` : sql`iif(${full}, 'address', 'day')`;
  return sql`SELECT ${limit} AS "limit", ${own ? sql`live` : sql`0`} AS live,
    ${own ? sql`room_at` : sql`iif(${full}, room_at, day_room_at)`} AS at FROM (${tally}) WHERE ${full} OR ${dayFull}`;
}

function wordsOf(limit: HoldLimit, live: number, phone: string | null): string {
  const call = phone === null ? "call the school" : `call the school: ${phone}`;
  switch (limit) {
    case "own":
      return live > 0
        ? `Pay for a booking that you hold, come back another day, or ${call}`
        : `You have given up several bookings within a day: try again later, or ${call}`;
    case "address":
      return `Many unpaid bookings come from your network: try again later, or ${call}`;
    case "day":
      return `Many unpaid bookings of this day come from your network: choose another day or another instructor, try again later, or ${call}`;
  }
}
