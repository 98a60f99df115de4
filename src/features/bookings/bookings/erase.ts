import { sql } from "drizzle-orm";
import { among, lastNines, personEraser } from "#features/erasures";
import type { Erasure } from "#platform/write/erasures.ts";
import { customers } from "#tables/customers";
import { bookings } from "./tables.ts";

// In the words of its index.
const wasSaid = sql`(${bookings.pickupAddress} IS NOT NULL OR ${bookings.studentNotes} IS NOT NULL
  OR ${bookings.cancelReason} IS NOT NULL OR ${bookings.client} IS NOT NULL)`;

/** Erases again what was said with the bookings of a person who was erased; the bookings stay. */
export const bookingErasure: Erasure = {
  action: "eraseBooking",
  tables: [bookings],
  left: (given) => sql`SELECT record FROM ${given} JOIN ${bookings}
    ON ${bookings.id} = record AND ${bookings.createdAt} <= at AND ${wasSaid}`,
  erase: (left) => [
    sql`UPDATE ${bookings} SET pickup_address = NULL, student_notes = NULL, cancel_reason = NULL, client = NULL, visitor = NULL
      WHERE ${bookings.id} IN (SELECT record FROM (${left}))`,
  ],
};

/** What was said with the bookings of the customers that are the person; their events go with the customers'. */
export const bookingEraser = personEraser<{ id: string; customer_id: number }>({
  erasure: bookingErasure,
  counts: "bookings",
  find: (
    _ctx,
    person,
  ) => sql`SELECT json_object('id', ${bookings.id}, 'customer_id', ${bookings.customerId}) AS snapshot
    FROM ${bookings} WHERE ${wasSaid} AND ${bookings.customerId} IN (
      SELECT ${customers.id} FROM ${customers} WHERE ${customers.emailLower} IN ${among(person.emails)}
      UNION SELECT ${customers.id} FROM ${customers} WHERE ${customers.phoneLast9} IN ${among(lastNines(person))}
      UNION SELECT ${person.given.customer_id ?? 0})`,
  theirs: (rows, person) => ({
    ids: rows.filter((row) => person.customers.includes(row.customer_id)).map(({ id }) => id),
  }),
});
