import { type SQL, sql } from "drizzle-orm";
import { once } from "#platform/json.ts";
import { bookings } from "./tables.ts";

const COLUMNS = [
  "id",
  "operation",
  "instructorId",
  "productId",
  "serviceLocationId",
  "bookingPackageId",
  "startAt",
  "endAt",
  "bookingDate",
  "startTime",
  "endTime",
  "timezone",
  "status",
  "paymentStatus",
  "totalAmount",
  "currency",
  "holdExpiresAt",
  "checkedAt",
  "pickupAddress",
  "studentNotes",
  "client",
  "settledBy",
  "createdAt",
  "updatedAt",
] as const;
/** A new booking, but for what the database finds out. */
export type NewBooking = Required<Pick<typeof bookings.$inferInsert, (typeof COLUMNS)[number]>>;

// The row is bound as one JSON text, so that the statement's own is made once.
const into = once(() =>
  sql.join(
    COLUMNS.map((name) => sql.identifier(bookings[name].name)),
    sql`, `,
  ),
);
const values = once(() =>
  sql.join(
    COLUMNS.map((name) => sql.raw(`given ->> '$.${name}'`)),
    sql`, `,
  ),
);

/** The statement that makes a booking; `number` counts the company's bookings. */
export function insertBooking(row: NewBooking, number: SQL, customerId: SQL): SQL {
  return sql`INSERT INTO ${bookings} (booking_number, customer_id, ${into()})
    SELECT 'BK-' || printf('%06d', ${number}), ${customerId}, ${values()} FROM (SELECT ${JSON.stringify(row)} AS given)`;
}
