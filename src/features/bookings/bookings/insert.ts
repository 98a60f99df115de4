import { type SQL, sql } from "drizzle-orm";
import type { IdCtx, ReadCtx } from "#core/context.ts";
import { columnsBut } from "#core/sql/columns.ts";
import { insertRow } from "#core/sql/json-rows.ts";
import type { ExternalIds } from "#core/write/external-id.ts";
import { bookings } from "#tables/bookings";

const ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const ID_CHARACTERS = 26;

const insert = insertRow(
  bookings,
  columnsBut(bookings, [
    "bookingNumber",
    "customerId",
    "cancelReason",
    "needsReview",
    "moneyReview",
    "cancelledAt",
    "givenBackAt",
    "renewals",
    "revision",
    "customerConfirmed",
    "refundedAmount",
    "refundStatus",
  ]),
);

/** What callers with a secret key give ids of their own to. */
export const bookingIds: ExternalIds = { kind: "booking", table: bookings };

/** The statement that makes a booking; `number` counts the company's bookings. */
export function insertBooking(
  row: Parameters<typeof insert>[0],
  number: SQL,
  customer: { id: SQL; confirmed: SQL },
): SQL {
  const bookingNumber = sql`'BK-' || printf('%06d', ${number})`;
  return insert(row, { bookingNumber, customerId: customer.id, customerConfirmed: customer.confirmed });
}

/** A fresh id of a booking: 130 random bits, because a person who knows it may see and change the booking. */
export function newBookingId(ctx: ReadCtx & IdCtx): string {
  const random = Uint8Array.fromBase64(ctx.newToken(), { alphabet: "base64url" }).subarray(0, ID_CHARACTERS);
  return `bkg_${Array.from(random, (byte) => ID_ALPHABET.charAt(byte % 32)).join("")}`;
}
