import { type SQL, sql } from "drizzle-orm";
import { insertFromJson } from "#platform/json-rows.ts";
import { bookings } from "./tables.ts";

const insert = insertFromJson(bookings, [
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
]);

/** The statement that makes a booking; `number` counts the company's bookings. */
export function insertBooking(row: Parameters<typeof insert>[0][number], number: SQL, customerId: SQL): SQL {
  return insert([row], { bookingNumber: sql`'BK-' || printf('%06d', ${number})`, customerId });
}
