import { type Column, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { renderStartedPayment, startedPayments } from "#features/gateway-payments";
import { timestampToWire } from "#shared/time/dates.ts";
import { customers } from "#tables/customers";
import { instructors } from "../instructors/tables.ts";
import { contact } from "./contact.ts";
import { manageUrl } from "./manage-url.ts";
import { bookedShape, renderBooking, statusAt } from "./snapshot.ts";
import { bookings } from "./tables.ts";

const shape = {
  ...bookedShape,
  customer_id: bookings.customerId,
  customer_name: customers.name,
  email: customers.email,
  phone: customers.phone,
  customer_confirmed: bookings.customerConfirmed,
  contact_name: contact.name,
  contact_email: contact.email,
  contact_phone: contact.phone,
  product_id: bookings.productId,
  service_location_id: bookings.serviceLocationId,
  booking_package_id: bookings.bookingPackageId,
  pickup_address: bookings.pickupAddress,
  student_notes: bookings.studentNotes,
  cancel_reason: bookings.cancelReason,
  needs_review: bookings.needsReview,
  public_token: bookings.publicToken,
  payments: startedPayments("booking", sql`${bookings.id}`),
  created_at: bookings.createdAt,
  updated_at: bookings.updatedAt,
};
/** A booking with all that its school knows of it. */
export type StaffBookingRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));
const source = once(
  () => sql`${bookings} CROSS JOIN ${instructors} ON ${instructors.id} = ${bookings.instructorId}
    CROSS JOIN ${customers} ON ${customers.id} = ${bookings.customerId}`,
);

/** The SELECT of bookings with their customers; `tail` goes on after WHERE. `listedAt`: their place in a list. */
export function selectStaffBookings(
  { now }: { now: number | SQL<number> },
  tail: SQL,
  listedAt?: Column,
): SQL<StaffBookingRow> {
  const place = listedAt === undefined ? sql`` : sql`, '$.listed_at', ${listedAt}`;
  return sql`SELECT json_set(${columns()}, '$.status', ${statusAt(now)}${place}) AS snapshot FROM ${source()} WHERE ${tail}`;
}

export function renderStaffBooking(row: StaffBookingRow, ctx: Pick<Ctx, "origin" | "company" | "client">) {
  const { public_token: token, ...rest } = row;
  return {
    ...rest,
    ...renderBooking(rest),
    // A person who has the address can act as the customer.
    manage_url: mayWrite(ctx) ? manageUrl(ctx, token) : null,
    contact: contactOf(row),
    customer: { id: String(row.customer_id), name: row.customer_name, email: row.email, phone: row.phone },
    customer_confirmed: row.customer_confirmed === 1,
    needs_review: row.needs_review === 1,
    payments: row.payments.map(renderStartedPayment),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

function contactOf({ contact_name: name, contact_email: email, contact_phone: phone }: StaffBookingRow) {
  return name === null ? null : { name, email, phone };
}

function mayWrite({ client }: Pick<Ctx, "client">): boolean {
  return client.holds("settings:write") || client.holds("diary:write");
}
