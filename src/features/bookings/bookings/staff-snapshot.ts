import { type Column, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { Ctx } from "#core/context.ts";
import { externalIdField, withExternalId } from "#core/sql/external-id.ts";
import {
  added,
  amount,
  dateTime,
  described,
  flag,
  from,
  idText,
  internal,
  nullable,
  rendered,
} from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { shownCaptures } from "#features/captures";
import { renderStartedPayment, startedPayments } from "#features/gateway-payments";
import { GatewayPayment } from "#shared/payments/gateway-payment.ts";
import { REFUND_STATES, REFUND_STATES_WORDS } from "#shared/payments/refunds.ts";
import { bookings, instructors } from "#tables/bookings";
import { customers } from "#tables/customers";
import { invoices } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";
import { contact } from "./contact.ts";
import { manageUrl } from "./manage-url.ts";
import { BookingContact, BookingCustomer, manageUrl as pageAddress } from "./schema.ts";
import { bookedFields, renderBooking, statusAt } from "./snapshot.ts";

type Contact = { contact_name: string | null; contact_email: string | null; contact_phone: string | null };
type Matched = { customer_id: number; customer_name: string; email: string | null; phone: string | null };
type Payments = Parameters<typeof renderStartedPayment>[0][];
type StaffCtx = Pick<Ctx, "origin" | "company" | "client">;

/** Something of the invoice of a booking's money; null without one that stands. */
function liveInvoice<Value = number>(value: SQL): SQL<Value | null> {
  const { bookingId, endedBy } = lessonSales;
  return sql<Value | null>`(SELECT ${value} FROM ${lessonSales} WHERE ${bookingId} = ${bookings.id} AND ${endedBy} IS NULL)`;
}

/** A booking with all that its school knows of it. */
export const staffBooking = record(
  bookings,
  {
    ...bookedFields,
    external_id: externalIdField("booking", bookings.id),
    contact: added(BookingContact, (row: Contact) =>
      row.contact_name === null
        ? null
        : { name: row.contact_name, email: row.contact_email, phone: row.contact_phone },
    ),
    contact_name: from(contact.name, internal<string | null>()),
    contact_email: from(contact.email, internal<string | null>()),
    contact_phone: from(contact.phone, internal<string | null>()),
    customer: added(
      BookingCustomer.meta({ description: "The matched customer, who may be another person." }),
      ({ customer_id: id, customer_name: name, email, phone }: Matched) => ({
        id: String(id),
        name,
        email,
        phone,
      }),
    ),
    customer_id: internal<number>(),
    customer_name: from(customers.name, internal<string>()),
    email: from(customers.email, internal<string | null>()),
    phone: from(customers.phone, internal<string | null>()),
    customer_confirmed: described(
      flag,
      "True: the contact is that customer. Staff or a secret key confirmed it, or the customer was created from the contact.",
    ),
    product_id: z.int().describe("The course."),
    service_location_id: z.int().nullable(),
    booking_package_id: z.int().nullable().describe("The package that the lesson is taken from."),
    pickup_address: z.string().nullable(),
    student_notes: z.string().nullable().describe("For the instructor."),
    cancel_reason: z.string().nullable(),
    manage_url: added(
      pageAddress.nullable().describe("The booking's page. Null if the key may not write bookings."),
      // A person who has the address can act as the customer.
      (row: { public_token: string }, ctx: StaffCtx) =>
        mayWrite(ctx) ? manageUrl(ctx, row.public_token) : null,
    ),
    public_token: internal<string>(),
    needs_review: described(
      flag,
      "A payment came twice or with another amount, its gateway gave money back by itself, or its package has ended or could not be made.",
    ),
    payments: from(
      startedPayments("booking", sql`${bookings.id}`),
      rendered(
        z.array(GatewayPayment).describe("The payments that were started at gateways, oldest first."),
        (payments: Payments) => payments.map(renderStartedPayment),
      ),
    ),
    refund_status: z.enum(REFUND_STATES).meta({ description: REFUND_STATES_WORDS }),
    refunded_amount: described(amount, "How much went back through gateways."),
    invoice_id: from(liveInvoice(sql`${lessonSales.invoiceId}`), nullable(idText)),
    invoice_number: from(
      liveInvoice<string>(
        sql`(SELECT ${invoices.invoiceNumber} FROM ${invoices} WHERE ${invoices.id} = ${lessonSales.invoiceId})`,
      ),
      z.string().nullable(),
    ),
    captures: shownCaptures,
    created_at: dateTime,
    updated_at: dateTime,
  },
  "StaffBooking",
);
export type StaffBookingRow = RowOf<typeof staffBooking>;

/** The data of booking events: all that the school knows of a booking. */
export const bookingResource = resource({
  name: "booking",
  scope: "settings:read",
  record: { schema: staffBooking.schema, render: renderStaffBooking },
  select: (moment, id) => selectStaffBookings(moment, sql`${bookings.id} = ${id}`),
  upgrades: [withExternalId],
});

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
  return sql`SELECT json_set(${staffBooking.columns()}, '$.status', ${statusAt(now)}${place}) AS snapshot FROM ${source()} WHERE ${tail}`;
}

export function renderStaffBooking(row: StaffBookingRow, ctx: StaffCtx) {
  return { ...staffBooking.render(row, ctx), hold_expires_at: renderBooking(row).hold_expires_at };
}

function mayWrite({ client }: Pick<Ctx, "client">): boolean {
  return client.holds("settings:write") || client.holds("diary:write");
}
