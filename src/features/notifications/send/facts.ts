import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { bookingContact, type MoneyBack, moneyBack } from "#features/bookings";
import type { Language } from "#shared/text/language.ts";
import { bookings, instructors, locations } from "#tables/bookings";
import { gatewayCaptures } from "#tables/captures";
import { creditNotes } from "#tables/credit-notes";
import { customers } from "#tables/customers";
import { paymentIntents } from "#tables/gateway-payments";
import { invoices } from "#tables/invoices";
import { leadSubmissions, leads } from "#tables/leads";
import { payments } from "#tables/payments";
import { applications, jobs } from "#tables/recruitment";
import { gatewayRefunds } from "#tables/refunds";
import { salesOrders } from "#tables/storefront";

/** Whom a message can go to. */
export type Person = { name: string; email: string | null; phone: string | null; language?: Language | null };

const told = alias(instructors, "told");

const customer = jsonObject({
  name: customers.name,
  email: customers.email,
  phone: customers.phone,
  language: customers.language,
});
// Who booked, for the same reason as of an order's shopper.
const booker = jsonObject({ ...bookingContact, name: sql<string>`coalesce(${bookingContact.name}, '')` });
// An order's shopper, since the customer's record may be another person's.
const shopper = (stored: SQL) => sql<Person>`json_object('name', ${stored} ->> '$.name',
  'email', nullif(${stored} ->> '$.email', 'erased'), 'phone', ${stored} ->> '$.phone',
  'language', iif(${customers.emailLower} = lower(${stored} ->> '$.email'), ${customers.language}, NULL))`;
const buyer = sql<Person>`CASE ${invoices.source} WHEN 'storefront' THEN ${shopper(sql`${invoices.customer}`)} ELSE ${customer} END`;
const invoice = {
  ...columnsNamed(invoices, "invoice_number", "amount_due", "total_amount", "due_date", "currency"),
  invoice_token: invoices.publicToken,
  invoice_status: invoices.status,
};

const booking = (instructorId: SQL) => ({
  person: booker,
  // The instructor that the notification is for, who may be another than that of the lesson by now.
  instructor: sql<Person | null>`(SELECT json_object('name', ${told.name}, 'email', ${told.email}, 'phone', ${told.phone})
    FROM ${instructors} AS ${told} WHERE ${told.id} = ${instructorId})`,
  number: bookings.bookingNumber,
  ...columnsNamed(bookings, "status", "payment_status", "hold_expires_at", "timezone", "start_at"),
  ...columnsNamed(bookings, "confirmed_at", "currency", "instructor_id"),
  date: bookings.bookingDate,
  time: bookings.startTime,
  token: bookings.publicToken,
  proof: bookings.emailProof,
  amount: bookings.totalAmount,
  ...moneyBack,
  instructor_name: instructors.name,
  place: locations.name,
  city: locations.city,
  pickup: bookings.pickupAddress,
});
const order = {
  person: shopper(sql`${salesOrders.customer}`),
  number: salesOrders.orderNumber,
  status: salesOrders.status,
  ...invoice,
};
const payment = {
  person: buyer,
  amount: payments.amount,
  deleted_at: payments.deletedAt,
  ...invoice,
};
const creditNote = {
  person: buyer,
  credit_note_number: creditNotes.creditNoteNumber,
  credit_note_token: creditNotes.publicToken,
  credit_note_status: creditNotes.status,
  amount: creditNotes.totalAmount,
  ...invoice,
};
// What stays paid of an invoice: not what its credit notes gave back or hold, nor what its gateway gave back by itself.
const staysPaid = sql<number | null>`${invoices.amountPaid}
  - (SELECT coalesce(sum(${creditNotes.gatewayRefundedAmount} + ${creditNotes.paidOutAmount} + ${creditNotes.unappliedAmount}), 0)
    FROM ${creditNotes} WHERE ${creditNotes.invoiceId} = ${invoices.id} AND ${creditNotes.status} = 'issued')
  - (SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices AS refund WHERE refund.invoice_id = ${invoices.id})`;
// To the person of what the payment was asked for.
const refund = {
  person: sql<Person | null>`CASE WHEN ${bookings.id} IS NOT NULL THEN ${booker}
    WHEN ${salesOrders.id} IS NOT NULL THEN ${shopper(sql`${salesOrders.customer}`)}
    WHEN ${invoices.id} IS NOT NULL THEN ${buyer} END`,
  ...columnsNamed(gatewayRefunds, "amount", "currency", "status"),
  booking: sql<MoneyBack | null>`iif(${bookings.id} IS NULL, NULL, ${jsonObject({
    payment_status: bookings.paymentStatus,
    amount: bookings.totalAmount,
    ...moneyBack,
  })})`,
  booking_token: bookings.publicToken,
  booking_number: sql<string | null>`${bookings.bookingNumber}`,
  order_number: sql<string | null>`${salesOrders.orderNumber}`,
  invoice_number: sql<string | null>`${invoices.invoiceNumber}`,
  invoice_token: sql<string | null>`iif(${invoices.status} = 'voided', NULL, ${invoices.publicToken})`,
  stays_paid: sql<number | null>`iif(${invoices.status} = 'voided', NULL, ${staysPaid})`,
};
const lead = {
  person: sql<Person>`json_object('name', ${leads.name}, 'email', ${leads.email}, 'phone', ${leads.phone})`,
  text: sql<string | null>`(SELECT ${leadSubmissions.content} ->> '$.message' FROM ${leadSubmissions}
    WHERE ${leadSubmissions.leadId} = ${leads.id} ORDER BY ${leadSubmissions.id} DESC LIMIT 1)`,
  number: leads.leadNumber,
  ...columnsNamed(leads, "status", "updated_at"),
};
const application = {
  person: sql<Person>`json_object('name', trim(${applications.firstName} || ' ' || coalesce(${applications.lastName}, '')),
    'email', ${applications.email}, 'phone', ${applications.phone})`,
  job: jobs.title,
  number: applications.applicationNumber,
  ...columnsNamed(applications, "status", "updated_at"),
  resume: applications.resumeName,
};
const invoiceOnly = { person: buyer, ...invoice };

/** The record of a notification, as it is now, by its kind. */
export type FactsOf = {
  booking: JsonRow<ReturnType<typeof booking>>;
  order: JsonRow<typeof order>;
  payment: JsonRow<typeof payment>;
  credit_note: JsonRow<typeof creditNote>;
  refund: JsonRow<typeof refund>;
  invoice: JsonRow<typeof invoiceOnly>;
  lead: JsonRow<typeof lead>;
  application: JsonRow<typeof application>;
};
export type Facts = FactsOf[keyof FactsOf];

/** What a payment was asked for, if that is of a kind. */
function paidFor(kind: "booking" | "order" | "invoice"): SQL {
  return sql`iif(${paymentIntents.kind} = ${sql.raw(`'${kind}'`)}, ${paymentIntents.refId}, NULL)`;
}

/** What a refund was of, in a line: `BK-0042: INR 75.00 (pay_...)`; `snapshot` is that of its event. */
export function refundOf(snapshot: SQL): SQL {
  const number = sql`(SELECT coalesce(
      (SELECT ${bookings.bookingNumber} FROM ${bookings} WHERE ${bookings.id} = ${paidFor("booking")}),
      (SELECT ${salesOrders.orderNumber} FROM ${salesOrders} WHERE ${salesOrders.id} = CAST(${paidFor("order")} AS INTEGER)),
      (SELECT ${invoices.invoiceNumber} FROM ${invoices} WHERE ${invoices.id} = CAST(${paidFor("invoice")} AS INTEGER)))
    FROM ${gatewayCaptures} JOIN ${paymentIntents} ON ${paymentIntents.id} = ${gatewayCaptures.intentId}
    WHERE ${gatewayCaptures.id} = ${snapshot} ->> '$.capture_id')`;
  return sql`coalesce(${number} || ': ', '') || (${snapshot} ->> '$.currency') || ' '
    || printf('%.2f', (${snapshot} ->> '$.amount') / 100.0) || ' (' || (${snapshot} ->> '$.gateway_payment_id') || ')'`;
}

/** A SELECT of the facts by the kind of record; `id` is the record's, `instructorId` that of whom a copy is for. */
export function factsOf(resource: string, id: SQL, instructorId: SQL): SQL {
  switch (resource) {
    case "booking":
      return sql`SELECT ${jsonObject(booking(instructorId))} FROM ${bookings} JOIN ${customers} ON ${customers.id} = ${bookings.customerId}
        JOIN ${instructors} ON ${instructors.id} = ${bookings.instructorId}
        LEFT JOIN ${locations} ON ${locations.id} = ${bookings.serviceLocationId} WHERE ${bookings.id} = ${id}`;
    case "order":
      return sql`SELECT ${jsonObject(order)} FROM ${salesOrders} JOIN ${customers} ON ${customers.id} = ${salesOrders.customerId}
        JOIN ${invoices} ON ${invoices.id} = ${salesOrders.invoiceId} WHERE ${salesOrders.id} = ${id}`;
    case "payment":
      return sql`SELECT ${jsonObject(payment)} FROM ${payments} JOIN ${invoices} ON ${invoices.id} = ${payments.invoiceId}
        JOIN ${customers} ON ${customers.id} = ${payments.customerId} WHERE ${payments.id} = ${id}`;
    case "credit_note":
      return sql`SELECT ${jsonObject(creditNote)} FROM ${creditNotes} JOIN ${invoices} ON ${invoices.id} = ${creditNotes.invoiceId}
        JOIN ${customers} ON ${customers.id} = ${creditNotes.customerId} WHERE ${creditNotes.id} = ${id}`;
    case "refund":
      return sql`SELECT ${jsonObject(refund)} FROM ${gatewayRefunds}
        JOIN ${gatewayCaptures} ON ${gatewayCaptures.id} = ${gatewayRefunds.captureId}
        LEFT JOIN ${paymentIntents} ON ${paymentIntents.id} = ${gatewayCaptures.intentId}
        LEFT JOIN ${bookings} ON ${paidFor("booking")} = ${bookings.id}
        LEFT JOIN ${salesOrders} ON CAST(${paidFor("order")} AS INTEGER) = ${salesOrders.id}
        LEFT JOIN ${invoices} ON coalesce((SELECT ${creditNotes.invoiceId} FROM ${creditNotes}
          WHERE ${creditNotes.id} = ${gatewayRefunds.creditNoteId}), ${salesOrders.invoiceId}, CAST(${paidFor("invoice")} AS INTEGER)) = ${invoices.id}
        LEFT JOIN ${customers} ON ${customers.id} = coalesce(${bookings.customerId}, ${salesOrders.customerId}, ${invoices.customerId})
        WHERE ${gatewayRefunds.id} = ${id}`;
    case "invoice":
      return sql`SELECT ${jsonObject(invoiceOnly)} FROM ${invoices}
        JOIN ${customers} ON ${customers.id} = ${invoices.customerId} WHERE ${invoices.id} = ${id}`;
    case "lead":
      return sql`SELECT ${jsonObject(lead)} FROM ${leads} WHERE ${leads.id} = ${id}`;
    default:
      return sql`SELECT ${jsonObject(application)} FROM ${applications}
        JOIN ${jobs} ON ${jobs.id} = ${applications.jobId} WHERE ${applications.id} = ${id}`;
  }
}
