import { sql } from "drizzle-orm";
import { eraseExternal } from "#core/write/erased-external-ids.ts";
import type { Erasure } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import {
  among,
  customersOf,
  isMatched,
  type Known,
  lastNines,
  ofPerson,
  personEraser,
} from "#features/erasures";
import { bookings } from "#tables/bookings";
import { ERASED } from "./contact.ts";

const wasSaid = sql`(${bookings.pickupAddress} IS NOT NULL OR ${bookings.studentNotes} IS NOT NULL
  OR ${bookings.cancelReason} IS NOT NULL OR ${bookings.client} IS NOT NULL OR ${bookings.contactName} <> ${ERASED})`;

/** Erases again who booked, and what was said with the bookings of a person who was erased; the bookings stay. */
export const bookingErasure: Erasure = {
  action: "eraseBooking",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${bookings}
    ON ${bookings.id} = record AND ${bookings.createdAt} <= at AND ${wasSaid}`,
  forget: (left) => [forgetSnapshots("booking", sql`SELECT record FROM (${left})`)],
  erase: (left) => [
    eraseExternal("booking", left),
    sql`UPDATE ${bookings} SET pickup_address = NULL, student_notes = NULL, cancel_reason = NULL, client = NULL,
      client_site = NULL, client_network = NULL, visitor = NULL,
      contact_name = iif(contact_name IS NULL, NULL, ${ERASED}), contact_email = NULL, contact_email_lower = NULL,
      contact_phone = NULL, contact_last9 = NULL, contact_language = NULL
      WHERE ${bookings.id} IN (SELECT record FROM (${left}))`,
  ],
};

type Row = {
  id: string;
  customer_id: number;
  confirmed: 0 | 1;
  name: string | null;
  email: string | null;
  phone: string | null;
};

/**
 * The bookings that the person made, and those that are known to be of a customer who is the person. One whose contact only
 * matched that customer may be another's.
 */
export const bookingEraser = personEraser<Row>({
  erasure: bookingErasure,
  scope: "settings:write",
  counts: "bookings",
  externalIds: "booking",
  find: (_ctx, person) => sql`SELECT json_object('id', ${bookings.id}, 'customer_id', ${bookings.customerId},
      'confirmed', ${bookings.customerConfirmed}, 'name', ${bookings.contactName}, 'email', ${bookings.contactEmailLower},
      'phone', ${bookings.contactPhone}) AS snapshot
    FROM ${bookings} WHERE ${wasSaid} AND ${bookings.id} IN (
      SELECT ${bookings.id} FROM ${bookings} WHERE ${bookings.customerId} IN (${customersOf(person)})
      UNION SELECT ${bookings.id} FROM ${bookings} WHERE ${bookings.contactEmailLower} IN ${among(person.emails)}
      UNION SELECT ${bookings.id} FROM ${bookings} WHERE ${bookings.contactLast9} IN ${among(lastNines(person))})`,
  theirs: (rows, person) => ofPerson(rows.filter((row) => isTheirs(row, person))),
});

function isTheirs(row: Row, person: Known): boolean {
  const isTheirCustomers = row.confirmed === 1 && person.customers.includes(row.customer_id);
  return isTheirCustomers || isMatched(row, person);
}
