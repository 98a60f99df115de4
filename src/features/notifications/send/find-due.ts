import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { auditLog, events } from "#core/write/tables.ts";
import { bookingContact } from "#features/bookings";
import type { Language } from "#shared/text/language.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { bookings, instructors, locations } from "#tables/bookings";
import { creditNotes } from "#tables/credit-notes";
import { customers } from "#tables/customers";
import { invoices } from "#tables/invoices";
import { leadSubmissions, leads } from "#tables/leads";
import { payments } from "#tables/payments";
import { applications, jobs } from "#tables/recruitment";
import { salesOrders } from "#tables/storefront";
import { notifications, notificationRules as rules } from "../tables.ts";

// More would make a list of a mail.
const MOST_LISTED = 20;

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
  invoice_number: invoices.invoiceNumber,
  invoice_token: invoices.publicToken,
  invoice_status: invoices.status,
  amount_due: invoices.amountDue,
  total_amount: invoices.totalAmount,
  due_date: invoices.dueDate,
  currency: invoices.currency,
};

const booking = (instructorId: SQL) => ({
  person: booker,
  // The instructor that the notification is for, who may be another than that of the lesson by now.
  instructor: sql<Person | null>`(SELECT json_object('name', ${told.name}, 'email', ${told.email}, 'phone', ${told.phone})
    FROM ${instructors} AS ${told} WHERE ${told.id} = ${instructorId})`,
  number: bookings.bookingNumber,
  status: bookings.status,
  payment_status: bookings.paymentStatus,
  hold_expires_at: bookings.holdExpiresAt,
  date: bookings.bookingDate,
  time: bookings.startTime,
  timezone: bookings.timezone,
  start_at: bookings.startAt,
  confirmed_at: bookings.confirmedAt,
  token: bookings.publicToken,
  proof: bookings.emailProof,
  amount: bookings.totalAmount,
  currency: bookings.currency,
  instructor_id: bookings.instructorId,
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
const lead = {
  person: sql<Person>`json_object('name', ${leads.name}, 'email', ${leads.email}, 'phone', ${leads.phone})`,
  text: sql<string | null>`(SELECT ${leadSubmissions.content} ->> '$.message' FROM ${leadSubmissions}
    WHERE ${leadSubmissions.leadId} = ${leads.id} ORDER BY ${leadSubmissions.id} DESC LIMIT 1)`,
};
const application = {
  person: sql<Person>`json_object('name', trim(${applications.firstName} || ' ' || coalesce(${applications.lastName}, '')),
    'email', ${applications.email}, 'phone', ${applications.phone})`,
  job: jobs.title,
};
const invoiceOnly = { person: buyer, ...invoice };

/** The record of a notification, as it is now. */
export type BookingFacts = JsonRow<ReturnType<typeof booking>>;
export type OrderFacts = JsonRow<typeof order>;
export type PaymentFacts = JsonRow<typeof payment>;
export type InvoiceFacts = JsonRow<typeof invoiceOnly>;
export type CreditNoteFacts = JsonRow<typeof creditNote>;
export type LeadFacts = JsonRow<typeof lead>;
export type ApplicationFacts = JsonRow<typeof application>;
export type Facts =
  | BookingFacts
  | OrderFacts
  | PaymentFacts
  | CreditNoteFacts
  | InvoiceFacts
  | LeadFacts
  | ApplicationFacts;

const toInstructor = sql`CAST(substr(${notifications.recipient}, 12) AS INTEGER)`;
const ownId = sql`CAST(${notifications.recordId} AS INTEGER)`;

/** A SELECT of the facts by the kind of record; `id` is the record's, `instructorId` that of whom a copy is for. */
function factsOf(resource: string, id: SQL, instructorId: SQL): SQL {
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

const KINDS = ["booking", "order", "payment", "credit_note", "invoice", "lead", "application"] as const;
const cases = KINDS.map((kind) => {
  const id = kind === "booking" ? sql`${notifications.recordId}` : ownId;
  return sql`WHEN ${sql.raw(`'${kind}'`)} THEN (${factsOf(kind, id, toInstructor)})`;
});

// What an hourly notice counts, by number or name; leads by number only, because the notice outlasts an erasure.
const counted = alias(events, "counted");
const itsName = sql`coalesce(${counted.snapshot} ->> '$.order_number', ${counted.snapshot} ->> '$.booking_number',
  ${counted.snapshot} ->> '$.lead_number', ${counted.snapshot} ->> '$.name', ${counted.snapshot} ->> '$.kind')`;
const listed = sql<string[]>`json((SELECT json_group_array(name) FROM (
  SELECT DISTINCT ${itsName} AS name FROM ${events} AS ${counted}
  WHERE ${counted.type} IN (${rules.event}, iif(${notifications.rule} = 'order_review', 'order.refund_needed', ''))
    AND ${counted.sequence} >= ${notifications.sequence} AND ${itsName} IS NOT NULL
    AND ${counted.at} / ${HOUR_MS} = CAST(${notifications.occasion} AS INTEGER)
  ORDER BY ${counted.sequence} LIMIT ${MOST_LISTED})))`;

const shape = {
  id: notifications.id,
  rule: notifications.rule,
  channel: notifications.channel,
  recipient: notifications.recipient,
  address: notifications.address,
  record_id: notifications.recordId,
  occasion: notifications.occasion,
  sequence: notifications.sequence,
  count: notifications.count,
  due_at: notifications.dueAt,
  is_on: sql<number>`CASE ${notifications.channel} WHEN 'email' THEN ${rules.email} WHEN 'sms' THEN ${rules.sms} ELSE ${rules.chatapp} END`,
  hours: rules.hours,
  /** When the event happened, who did it by which operation, what the lesson was before, and then. */
  at: events.at,
  actor: sql<{ id: string } | null>`json(${events.actor})`,
  operation: sql<string | null>`(SELECT ${auditLog.action} FROM ${auditLog}
    WHERE ${auditLog.record} = ${notifications.recordId} AND ${auditLog.requestId} = ${events.requestId} LIMIT 1)`,
  was_date: sql<string | null>`${events.previous} ->> '$.booking_date'`,
  was_time: sql<string | null>`${events.previous} ->> '$.start_time'`,
  then_date: sql<string | null>`${events.snapshot} ->> '$.booking_date'`,
  then_time: sql<string | null>`${events.snapshot} ->> '$.start_time'`,
  then_instructor: sql<number | null>`${events.snapshot} ->> '$.instructor_id'`,
  listed: sql<string[] | null>`iif(${notifications.recordId} = '', ${listed}, NULL)`,
  facts: sql<Facts | null>`json(CASE ${notifications.resource} ${sql.join(cases, sql` `)} END)`,
};
/** A notification that is due, with all that decides whether it is sent and what it says. */
export type DueNotification = JsonRow<typeof shape>;

/** The SELECT of the notifications that are due, the oldest first, `most` of them. */
export function selectDue({ now }: Pick<ReadCtx, "now">, most: number): SQL<DueNotification> {
  return sql`SELECT ${jsonObject(shape)} AS snapshot FROM ${notifications} INDEXED BY notifications_due
    LEFT JOIN ${rules} ON ${rules.rule} = ${notifications.rule}
    LEFT JOIN ${events} ON ${events.sequence} = ${notifications.sequence}
    WHERE ${notifications.state} = 'due' AND ${notifications.dueAt} <= ${now}
    ORDER BY ${notifications.dueAt} LIMIT ${most}`;
}

/** The SELECT of what is known of one record, by its id: what a preview is made of. */
export function selectFacts(resource: string, record: string): SQL<Facts> {
  const id = resource === "booking" ? sql`${record}` : sql`CAST(${record} AS INTEGER)`;
  return sql`SELECT facts AS snapshot FROM (SELECT (${factsOf(resource, id, sql`NULL`)}) AS facts) WHERE facts IS NOT NULL`;
}
