import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx, WriteCtx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { STRANGER_LIMITS } from "#shared/strangers.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { bookings } from "#tables/bookings";
import { auditLog } from "#tables/core";
import { calendarOf, type OfferBasis } from "../availability/offer-basis.ts";
import type { Timing } from "../availability/offered-slot.ts";
import { workingMinutes } from "../availability/slots.ts";
import { type Contact, customersKnownBy } from "../customers-known-by.ts";
import type { ClientGroups } from "./client-groups.ts";
import {
  type Day,
  isLive,
  isUnpaid,
  isUnproven,
  tallyOf,
  tallyOfCustomer,
  tallyOfVisitor,
} from "./hold-counts.ts";
import type { Booker } from "./who-books.ts";

const MOST_OF_ONE = 3;
/** So many lessons of an instructor's day are within every group's share: usual ones always, longer ones up to half of it. */
const LESSONS_OF_DAY = 3;

/** What a group may hold at once, and how many quarters of an instructor's day. */
type Share = { most: number; quarters: number };
type Level = { key: keyof ClientGroups; tally: ReturnType<typeof tallyOf>; shares: Record<Judged, Share> };
type Judged = "unsolved" | "wanted" | "solved";

/** By the /64 or IPv4 address, the /56 and the /48: each ten times the one below. No level may hold a whole day. */
const LEVELS: readonly Level[] = [
  level("client", {
    unsolved: { most: 10, quarters: 1 },
    // From the fifth on the puzzle is asked for, where it is on.
    wanted: { most: 4, quarters: 1 },
    solved: { most: 50, quarters: 2 },
  }),
  level("clientSite", {
    unsolved: { most: 100, quarters: 2 },
    wanted: { most: 100, quarters: 2 },
    solved: { most: 500, quarters: 3 },
  }),
  level("clientNetwork", {
    unsolved: { most: 1_000, quarters: 3 },
    wanted: { most: 1_000, quarters: 3 },
    solved: { most: 5_000, quarters: 3 },
  }),
];

function level(key: keyof ClientGroups, shares: Level["shares"]): Level {
  return { key, tally: tallyOf(bookings[key]), shares };
}

/** What a booking asks for; `payer` is null where a package pays, or staff book. */
export type Asked = Booker & {
  id: string;
  payer: Contact | null;
  /** How long a hold that ended counts for its address group, in ms. */
  lingers: number;
  day: Day;
};

/** One limit: whose it is, the SELECT of what is held, when that is too much, and with which code it refuses. */
export type Limit = { of: "own" | "address"; tally: SQL; full: SQL; dayFull: SQL; code: string };

/** The day of a slot, and how much of it that takes. */
export function dayOf(basis: OfferBasis, { bookingDate: date, startAt, endAt }: Timing): Day {
  const { settings, instructor } = basis;
  const working = workingMinutes(calendarOf(basis), date) * MINUTE_MS;
  const buffer = settings.buffer_minutes * MINUTE_MS;
  const slot = settings.slot_length_minutes * MINUTE_MS;
  return { instructorId: instructor?.id ?? 0, date, length: endAt - startAt, slot, buffer, working };
}

/**
 * Aborts the batch where one visitor, or one group of addresses, holds too much that is not paid: anyone can call with a
 * publishable key. It comes after the booking's own row, so that every caller gets the same error for a taken slot.
 */
export function refuseManyHolds(ctx: ReadCtx, asked: Asked): SQL[] {
  const { puzzle } = asked;
  return [
    ...limitsOf(ctx, asked).map(refusalBy),
    ...(puzzle === "missing" ? [refuseWhen(sql`1`, "captcha_required")] : []),
    ...(puzzle === "wrong" ? [refuseWhen(sql`1`, "captcha_failed")] : []),
  ];
}

/** Aborts the batch where a browser moves what it has not paid to a day of which its addresses hold their share. */
export function refuseFullDay(ctx: WriteCtx, id: string, day: Day): SQL[] {
  return moveLimits(ctx, id, day).map(refusalBy);
}

/** Aborts the batch where visitors have moved often enough what is neither paid nor proven. The audit log has their moves. */
export function refuseManyMoves(ctx: WriteCtx, id: string): SQL[] {
  if (ctx.actor.type !== "publishable") return [];
  const moves = sql`(SELECT count(*) FROM ${auditLog} WHERE ${auditLog.record} = ${id}
    AND ${auditLog.action} = ${ctx.call.name} AND (${auditLog.actor} = 'page' OR ${auditLog.actor} GLOB 'pk_*'))`;
  const isBound = sql`EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.id} = ${id} AND ${isUnproven})`;
  return [refuseWhen(sql`${isBound} AND ${moves} >= ${STRANGER_LIMITS.moves}`, "too_many_moves")];
}

/** The limits of a booking that is made; none for whom nothing is counted. */
export function limitsOf(ctx: ReadCtx, asked: Asked): Limit[] {
  const { id, groups, payer, puzzle, lingers, day } = asked;
  if (groups.client === null || payer === null) return [];
  const judged = puzzle === "solved" || puzzle === "wanted" ? puzzle : "unsolved";
  const address = LEVELS.flatMap(({ key, tally, shares }) => {
    const group = groups[key];
    if (group === null) return [];
    const solved = judged === "solved" ? 1 : 0;
    const { most, quarters } = shares[judged];
    return addressLimit({
      tally: tally({ ...clockOf(ctx), ...dayIn(day), group, id, since: ctx.now - lingers, solved }),
      ...{ most, quarters: sql`${quarters}`, day },
      code: judged === "wanted" ? "captcha_required" : "too_many_holds",
    });
  });
  return [ownLimit(ctx, asked, groups.client, payer), ...address];
}

/** The limits of a booking that is moved: those of its new day. */
export function moveLimits(ctx: WriteCtx, id: string, day: Day): Limit[] {
  if (ctx.actor.type !== "publishable") return [];
  const ofIt = (what: SQL) =>
    sql`(SELECT ${what} FROM ${bookings} WHERE ${bookings.id} = ${id} AND ${isUnpaid} AND ${isLive(sql`${ctx.now}`)})`;
  const solved = sql`coalesce(${ofIt(sql`${bookings.solved}`)}, 0)`;
  return LEVELS.map(({ key, tally, shares }) => {
    const group = ofIt(sql`${bookings[key]}`);
    return addressLimit({
      tally: tally({ ...clockOf(ctx), ...dayIn(day), group, id, since: ctx.now, solved }),
      quarters: sql`iif(${solved}, ${shares.solved.quarters}, ${shares.unsolved.quarters})`,
      ...{ most: null, day, code: "too_many_holds" },
    });
  });
}

type OfAddress = { tally: SQL; most: number | null; quarters: SQL; day: Day; code: string };

function addressLimit({ tally, most, quarters, day, code }: OfAddress): Limit {
  const { length, slot, buffer, working } = day;
  const usual = length <= slot ? LESSONS_OF_DAY * (slot + buffer) : 0;
  // The first is always possible; a few more by their number, as long as their minutes leave others the rest.
  const dayFull = sql`(lessons > 0 AND (taken + ${length + buffer}) * 4 > ${working} * ${quarters}
    AND (lessons >= ${LESSONS_OF_DAY} OR taken + ${length + buffer} > ${Math.max(working / 2, usual)}))`;
  return { of: "address", tally, full: most === null ? sql`0` : sql`held >= ${most}`, dayFull, code };
}

/** By the visitor's token; without one by the customer who is named, of those that one address group has made. */
function ownLimit(ctx: ReadCtx, { id, visitor }: Asked, client: string, payer: Contact): Limit {
  const tally =
    visitor === null
      ? tallyOfCustomer({ ...clockOf(ctx), group: client, id, known: customersKnownBy(payer) })
      : tallyOfVisitor({ ...clockOf(ctx), group: visitor, id });
  const full = sql`held >= ${MOST_OF_ONE}`;
  return { of: "own", tally, full, dayFull: sql`0`, code: "too_many_holds" };
}

function refusalBy({ tally, full, dayFull, code }: Limit): SQL {
  const isReached = sql`EXISTS (SELECT 1 FROM (${tally}) WHERE ${full} OR ${dayFull})`;
  // As literals, for a test looks whether the database knows each code.
  return code === "captcha_required"
    ? refuseWhen(isReached, "captcha_required")
    : refuseWhen(isReached, "too_many_holds");
}

function clockOf({ now }: ReadCtx) {
  return { now, yesterday: now - DAY_MS };
}

function dayIn({ instructorId, date, buffer }: Day) {
  return { instructorId, date, buffer };
}
