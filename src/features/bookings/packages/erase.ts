import { sql } from "drizzle-orm";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { among, isMatched, lastNines, personEraser } from "#features/erasures";
import { bookingPackages, bookings } from "#tables/bookings";
import { salesOrders } from "#tables/storefront";

const { id, contactEmailLower, contactLast9, orderId, bookingId, createdAt } = bookingPackages;
const hasContact = sql`(${contactEmailLower} IS NOT NULL OR ${contactLast9} IS NOT NULL)`;

/** Erases again by what the buyer of a package was known; the package stays. */
export const packageErasure: Erasure = {
  action: "erasePackageContact",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${bookingPackages}
    ON ${id} = CAST(record AS INTEGER) AND ${createdAt} <= at AND ${hasContact}`,
  erase: (left) => [
    sql`UPDATE ${bookingPackages} SET contact_email_lower = NULL, contact_last9 = NULL WHERE ${id} IN (${integersOf(left)})`,
  ],
};

/** The packages that the person bought, by what they typed with the order or the booking. */
export const packageEraser = personEraser<{ id: number; email: string | null; phone: string | null }>({
  erasure: packageErasure,
  scope: "settings:write",
  find: (
    _ctx,
    person,
  ) => sql`SELECT json_object('id', ${id}, 'email', ${contactEmailLower}, 'phone', coalesce(
      (SELECT ${bookings.contactPhone} FROM ${bookings} WHERE ${bookings.id} = ${bookingId}),
      (SELECT ${salesOrders.customer} ->> '$.phone' FROM ${salesOrders} WHERE ${salesOrders.id} = ${orderId}))) AS snapshot
    FROM ${bookingPackages} WHERE ${id} IN (
      SELECT ${id} FROM ${bookingPackages} WHERE ${contactEmailLower} IN ${among(person.emails)}
      UNION SELECT ${id} FROM ${bookingPackages} WHERE ${contactLast9} IN ${among(lastNines(person))})`,
  theirs: (rows, person) => ({ ids: rows.filter((row) => isMatched(row, person)).map((row) => row.id) }),
});
