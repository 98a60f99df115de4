import { type SQL, sql } from "drizzle-orm";
import { bookings } from "#tables/bookings";
import type { Busy } from "./slots.ts";

/** The starts and ends of a `selectBusy`, as JSON. */
export const busyJson = sql<Busy>`json_object('starts', json_group_array(start_at), 'ends', json_group_array(end_at))`;

/**
 * When the bookings that `of` names take time (at `now`), in order. `since` lies two days before the first date: one for
 * its zone, one for the longest booking, which may begin before.
 */
export function selectBusy(of: SQL, since: SQL | number, until: SQL | number, now: SQL | number): SQL {
  return sql`SELECT ${bookings.instructorId}, ${bookings.startAt}, ${bookings.endAt} FROM ${bookings}
    WHERE ${of} AND ${bookings.startAt} BETWEEN ${since} AND ${until} AND ${takesTime(now)}
    ORDER BY ${bookings.instructorId}, ${bookings.startAt}`;
}

/** A booking that stands in the way of others at `now`: live, and no hold that has run out. */
export function takesTime(now: SQL | number): SQL {
  return sql`${bookings.status} NOT IN ('cancelled', 'expired') AND (${bookings.status} <> 'pending'
    OR ${bookings.holdExpiresAt} IS NULL OR ${bookings.holdExpiresAt} > ${now})`;
}
