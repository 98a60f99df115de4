import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx, WriteCtx } from "#platform/context.ts";
import { type Refusals, refuseWhen } from "#platform/write/atomic.ts";
import type { Problem } from "#shared/problem.ts";
import { tooMany } from "#shared/retry.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { calendarOf, type OfferBasis } from "../availability/offer-basis.ts";
import type { Timing } from "../availability/offered-slot.ts";
import { workingMinutes } from "../availability/slots.ts";
import { bookings } from "../bookings/tables.ts";
import { type Contact, customersKnownBy } from "../customers-known-by.ts";
import type { SettingsRow } from "../settings/snapshot.ts";
import type { Puzzle } from "./puzzle.ts";

const PAY_FIRST = "Pay or cancel the bookings that are pending first, choose another day, or try again later";
const MOST_OF_CUSTOMER = 3;
const MOST_OF_VISITOR = 3;
/** Limits of one address group: holds at once, counting those that ended unpaid within a day; and bookings made in an hour. */
const MOST_HOLDS = { off: 10, wanted: 10, solved: 50 };
/** After so many of them the puzzle is asked for, where it is on. */
const HOLDS_UNASKED = 4;
const MOST_AN_HOUR = { staff: 20, free: 10 };
/** The part of an instructor's day that one address group can hold: a quarter. */
const PARTS_OF_DAY = 4;

/** An instructor's day, of which an address group can hold a share; lengths in milliseconds. */
type Day = { instructorId: number; date: string; length: number; buffer: number; working: number };

/** What a booking asks for; `client` is null where a server calls, `payer` where a package pays. */
type Asked = {
  client: string | null;
  payer: Contact | null;
  /** Whom the token of a booking page names. */
  visitor: string | null;
  puzzle: Puzzle;
  /** Who takes the money: a gateway, the school itself, or nobody. */
  kind: "online" | "staff" | "free";
  day: Day;
};

/** One limit: what it counts, when it is reached, when (epoch ms) it gives room again, and what it answers. */
type Limit = { reached: SQL; again: SQL; code?: "captcha_required" };

/** The day of a slot, and how much of it that takes. */
export function dayOf(
  basis: OfferBasis,
  settings: SettingsRow,
  { instructor_id: instructorId, booking_date: date }: { instructor_id: number; booking_date: string },
  { startAt, endAt }: Timing,
): Day {
  const working = workingMinutes(calendarOf(basis), date) * MINUTE_MS;
  return {
    instructorId,
    date,
    length: endAt - startAt,
    buffer: settings.buffer_minutes * MINUTE_MS,
    working,
  };
}

/**
 * Aborts the batch where one client keeps too many slots unpaid, or takes too many, free ones too: anyone can call with
 * a publishable key. A slot that is paid counts no more.
 */
export function refuseManyHolds(ctx: ReadCtx, asked: Asked): SQL[] {
  return limitsOf(ctx, asked).map(({ reached, code }) => refuseWhen(reached, code ?? "too_many_holds"));
}

/** Aborts the batch where a client moves a hold to a day of which it holds enough already. */
export function refuseFullDay(ctx: WriteCtx, id: string, day: Day): SQL[] {
  if (ctx.actor.type !== "publishable") return [];
  const own = sql`SELECT ${bookings.client} FROM ${bookings} WHERE ${bookings.id} = ${id} AND ${isHold(ctx)}`;
  return [refuseWhen(dayLimit(ctx, sql`(${own})`, day, id).reached, "too_many_holds")];
}

/** The 429 of too many holds, with when there is room again. */
export function holdRefusals(ctx: ReadCtx, asked: Asked): Refusals {
  return {
    too_many_holds: () =>
      untilRoom(
        ctx,
        limitsOf(ctx, asked)
          .filter(({ code }) => code === undefined)
          .map(({ reached, again }) => sql`iif(${reached}, ${again}, 0)`),
      ),
  };
}

/** The 429 of too many holds on the day that a hold is moved to. */
export const moveRefusals = (ctx: ReadCtx): Refusals => ({ too_many_holds: () => untilRoom(ctx, []) });

async function untilRoom(ctx: ReadCtx, instants: SQL[]): Promise<Problem> {
  const [[found]] = await ctx.database.read([
    ctx.db.all<{ at: number | null }>(sql`SELECT max(0, ${sql.join([sql`0`, ...instants], sql`, `)}) AS at`),
  ]);
  return tooMany("too_many_holds", (found?.at ?? 0) - ctx.now, () => PAY_FIRST);
}

function limitsOf(ctx: ReadCtx, { client, payer, visitor, puzzle, kind, day }: Asked): Limit[] {
  if (client === null) return [];
  const own = sql`${client}`;
  if (kind === "free") return [hourLimit(ctx, own, sql`${bookings.settledBy} IS NULL`, MOST_AN_HOUR.free)];
  const unpaid = payer === null ? [] : [customerLimit(ctx, payer)];
  if (kind === "staff")
    return [...unpaid, hourLimit(ctx, own, sql`${bookings.settledBy} = 'staff'`, MOST_AN_HOUR.staff)];
  const held = heldByGroup(ctx, own);
  return [
    ...unpaid,
    ...(visitor === null ? [] : [visitorLimit(ctx, own, visitor)]),
    dayLimit(ctx, own, day),
    ...(puzzle === "wanted"
      ? [{ ...limit(held, HOLDS_UNASKED, sql`0`), code: "captcha_required" as const }]
      : []),
    groupLimit(held, puzzle),
  ];
}

/** The customer's bookings that wait to be paid; known by e-mail address or phone. */
function customerLimit(ctx: ReadCtx, contact: Contact): Limit {
  const where = sql`${bookings.customerId} IN (${customersKnownBy(contact)}) AND ${bookings.status} = 'pending'
    AND ${bookings.paymentStatus} = 'unpaid' AND (${bookings.holdExpiresAt} IS NULL OR ${bookings.holdExpiresAt} > ${ctx.now})`;
  return limit(where, MOST_OF_CUSTOMER, bookings.holdExpiresAt);
}

/** The holds of one visitor, of those of an address. */
function visitorLimit(ctx: ReadCtx, client: SQL, visitor: string): Limit {
  const where = sql`${unpaidOnline(client)} AND ${isHold(ctx)} AND ${bookings.visitor} = ${visitor}`;
  return limit(where, MOST_OF_VISITOR, bookings.holdExpiresAt);
}

/** The holds of an address group, and those that ended unpaid within a day: else cancelling would reset the limit. */
function heldByGroup(ctx: ReadCtx, client: SQL): SQL {
  const since = ctx.now - DAY_MS;
  return sql`${unpaidOnline(client)} AND ${bookings.holdExpiresAt} > ${since}
    AND (${bookings.status} <> 'cancelled' OR ${bookings.cancelledAt} > ${since})`;
}

function groupLimit(held: SQL, puzzle: Puzzle): Limit {
  return limit(
    held,
    MOST_HOLDS[puzzle],
    sql`coalesce(${bookings.cancelledAt}, ${bookings.holdExpiresAt}) + ${DAY_MS}`,
  );
}

/** An address group's share of an instructor's day; the first lesson of a day is always within it. */
function dayLimit(
  ctx: ReadCtx,
  client: SQL,
  { instructorId, date, length, buffer, working }: Day,
  but = "",
): Limit {
  const held = sql`FROM ${bookings} WHERE ${unpaidOnline(client)} AND ${isHold(ctx)} AND ${bookings.id} <> ${but}
    AND ${bookings.instructorId} = ${instructorId} AND ${bookings.bookingDate} = ${date}`;
  const sum = sql`(SELECT sum(${bookings.endAt} - ${bookings.startAt} + ${buffer}) ${held})`;
  return {
    reached: sql`coalesce((${sum} + ${length + buffer}) * ${PARTS_OF_DAY} > ${working}, 0)`,
    again: sql`(SELECT min(${bookings.holdExpiresAt}) ${held})`,
  };
}

/** What came from an address group within the hour. */
function hourLimit(ctx: ReadCtx, client: SQL, kind: SQL, most: number): Limit {
  const where = sql`${bookings.client} = ${client} AND ${bookings.createdAt} > ${ctx.now - HOUR_MS} AND ${kind}`;
  return limit(where, most, sql`${bookings.createdAt} + ${HOUR_MS}`);
}

function limit(where: SQL, most: number, ends: SQL | typeof bookings.holdExpiresAt): Limit {
  return {
    reached: sql`(SELECT count(*) FROM ${bookings} WHERE ${where}) >= ${most}`,
    again: sql`coalesce((SELECT min(${ends}) FROM ${bookings} WHERE ${where}), 0)`,
  };
}

function unpaidOnline(client: SQL): SQL {
  return sql`${bookings.client} = ${client} AND ${bookings.paymentStatus} = 'unpaid' AND ${bookings.settledBy} = 'online'`;
}

function isHold(ctx: ReadCtx): SQL {
  return sql`${bookings.status} = 'pending' AND ${bookings.holdExpiresAt} > ${ctx.now}`;
}
