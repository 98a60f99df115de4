import { type SQL, sql } from "drizzle-orm";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { bookings } from "#tables/bookings";

/** An instructor's day, of which a group of addresses can hold a share; lengths in milliseconds; `slot` is a lesson's usual one. */
export type Day = {
  instructorId: number;
  date: string;
  length: number;
  slot: number;
  buffer: number;
  working: number;
};

/** What a group holds: at once, and of one day; and when (epoch ms) either has capacity again. */
export type Tally = {
  held: number;
  lessons: number;
  taken: number;
  room_at: number | null;
  day_room_at: number | null;
};

/** What the holds of one group are counted by. `id` is the booking that is judged; `since` when those that ended count no more. */
export type Asked = {
  group: string | SQL;
  id: string;
  now: number;
  yesterday: number;
  since: number;
  /** 1 for a visitor who solved the puzzle: against those all holds of the day count. */
  solved: number | SQL;
} & Omit<Day, "length" | "slot" | "working">;

export type OwnAsked = { group: string; id: string; now: number; yesterday: number; known: SQL };

/** What anybody makes without paying: it waits for a payment or for the school, or costs nothing. */
export const isUnpaid = sql`${bookings.bookingPackageId} IS NULL
  AND (${bookings.paymentStatus} = 'unpaid' OR ${bookings.totalAmount} = 0)`;

/** The same, where no mail has proven its e-mail address either. */
export const isUnproven = sql`(${isUnpaid} AND (${bookings.emailProof} IS NULL OR ${bookings.confirmedAt} IS NULL))`;

const isHeld = (now: SQL) => sql`(${bookings.status} = 'pending'
  AND (${bookings.holdExpiresAt} IS NULL OR ${bookings.holdExpiresAt} > ${now}))`;
const isFree = sql`(${bookings.status} = 'confirmed' AND ${bookings.totalAmount} = 0)`;

/** Whether an unpaid booking keeps its slot. */
export const isLive = (now: SQL): SQL => sql`(${isHeld(now)} OR ${isFree})`;

const hasEnded = (
  now: SQL,
  since: SQL,
) => sql`((${bookings.status} = 'cancelled' AND ${bookings.cancelledAt} > ${since})
  OR (${bookings.status} IN ('pending', 'expired') AND ${bookings.holdExpiresAt} <= ${now} AND ${bookings.holdExpiresAt} > ${since}))`;
const ends = sql`coalesce(${bookings.cancelledAt}, ${bookings.holdExpiresAt}, ${bookings.startAt})`;

type Grouping = typeof bookings.client | typeof bookings.clientSite | typeof bookings.clientNetwork;

/** The SELECT of what the groups of this column hold; a lesson of a day counts as long as it is ahead, at once for a day. */
export function tallyOf(column: Grouping): (asked: Asked) => SQL<Tally> {
  return keptStatement((given: Given<Asked>) => {
    const isNew = sql`(${isFree} AND ${bookings.createdAt} > ${given.yesterday})`;
    const counts = sql`(${isHeld(given.now)} OR ${isNew} OR ${hasEnded(given.now, given.since)})`;
    const onDay = sql`(${isLive(given.now)} AND ${bookings.instructorId} = ${given.instructorId}
      AND ${bookings.bookingDate} = ${given.date} AND (${bookings.solved} = 0 OR ${given.solved} = 1))`;
    return sql<Tally>`SELECT coalesce(sum(${counts}), 0) AS held, coalesce(sum(${onDay}), 0) AS lessons,
      coalesce(sum(iif(${onDay}, ${bookings.endAt} - ${bookings.startAt} + ${given.buffer}, 0)), 0) AS taken,
      min(iif(${counts}, iif(${isFree}, ${bookings.createdAt} + ${given.now} - ${given.yesterday},
        ${ends} + ${given.now} - ${given.since}), NULL)) AS room_at,
      min(iif(${onDay}, coalesce(${bookings.holdExpiresAt}, ${bookings.startAt}), NULL)) AS day_room_at
      FROM ${bookings} WHERE ${column} = ${given.group} AND ${bookings.startAt} > ${given.yesterday}
      AND ${bookings.id} <> ${given.id} AND ${isUnpaid}`;
  });
}

/** The SELECT of what one visitor holds, and has given up within a day. */
export const tallyOfVisitor = keptStatement(
  (given: Given<Omit<OwnAsked, "known">>) => sql<Pick<Tally, "held" | "room_at"> & { live: number }>`
    SELECT count(*) AS held, coalesce(sum(${isLive(given.now)}), 0) AS live,
      min(${ends} + ${given.now} - ${given.yesterday}) AS room_at
    FROM ${bookings} WHERE ${bookings.visitor} = ${given.group} AND ${bookings.id} <> ${given.id} AND ${isUnpaid}
      AND (${isLive(given.now)} OR ${hasEnded(given.now, given.yesterday)})`,
);

/** The SELECT of what one customer holds of an address group, made without a visitor's token. */
export const tallyOfCustomer = keptStatement(
  (given: Given<OwnAsked>) => sql<Pick<Tally, "held" | "room_at"> & { live: number }>`
    SELECT count(*) AS held, count(*) AS live, min(${ends}) AS room_at
    FROM ${bookings} WHERE ${bookings.client} = ${given.group} AND ${bookings.startAt} > ${given.yesterday}
      AND ${bookings.id} <> ${given.id} AND ${bookings.visitor} IS NULL
      AND ${bookings.customerId} IN (${given.known}) AND ${isUnpaid} AND ${isLive(given.now)}`,
);
