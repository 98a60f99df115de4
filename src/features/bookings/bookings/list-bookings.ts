import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { CallCtx, ReadCtx } from "#core/context.ts";
import { hasExternalId } from "#core/sql/external-id.ts";
import { createdIn, equalTo, isByChange, type Placed, readByChange, within } from "#core/sql/narrowed.ts";
import { readList } from "#core/sql/read-records.ts";
import { containsText, isIndexed } from "#core/sql/text-search.ts";
import { customerSearch, searchedCustomerColumns } from "#features/customers";
import type { Listed, Page } from "#shared/page.ts";
import type { RefundState } from "#shared/payments/refunds.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { bookings } from "#tables/bookings";
import { selectOutsideHours } from "../instructors/affected-lessons.ts";
import { contact } from "./contact.ts";
import { statusAt } from "./snapshot.ts";
import type { StaffBookingQuery } from "./staff-schema.ts";
import { type StaffBookingRow, selectStaffBookings } from "./staff-snapshot.ts";
import type { BookingStatus, PaymentStatus } from "./statuses.ts";

const found = alias(bookings, "found");
const searchedColumns = [...searchedCustomerColumns, contact.name, contact.email, contact.phone];

/** The bookings, those made last first, by their start or by the order of changes; with all that the school knows of them. */
export async function listBookings(
  ctx: CallCtx,
  _params: unknown,
  { order, q, page, ...query }: StaffBookingQuery & { page: Page },
): Promise<Listed<Placed<StaffBookingRow>>> {
  const byStart = order === "start";
  const at = byStart ? bookings.startAt : bookings.createdAt;
  const filters = and(filtersOf(ctx, query), q === undefined ? undefined : isFound(q)) ?? sql`true`;
  if (isByChange(query)) {
    const select = (condition: SQL) => selectStaffBookings(ctx, condition);
    return readByChange(ctx, { resource: "booking", table: bookings, select }, { page, ...query }, filters);
  }
  // What a search finds is few: it is sorted, where walking the whole list for it would take long.
  const sorted = q !== undefined && isIndexed(q) ? [sql`+${at}`, sql`+${bookings.id}`] : [at, bookings.id];
  const [one, id] = [sorted[0], sorted[1]];
  const [last, lastId] = page.after ?? (byStart ? [-1, ""] : [Number.MAX_SAFE_INTEGER, ""]);
  const tail = byStart
    ? sql`${filters} AND (${one}, ${id}) > (${last}, ${lastId}) ORDER BY ${one}, ${id} LIMIT ${page.take}`
    : sql`${filters} AND (${one}, ${id}) < (${last}, ${lastId}) ORDER BY ${one} DESC, ${id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectStaffBookings(ctx, tail, at));
}

function filtersOf(ctx: ReadCtx, query: Omit<StaffBookingQuery, "order" | "q">): SQL | undefined {
  const { status, payment_status: paymentStatus, refund_status: refundStatus, from, to } = query;
  const { needs_review: review, outside_hours: outside } = query;
  const outsideHours = sql`${bookings.id} IN (${selectOutsideHours(ctx)})`;
  // Literal text, so that the database can use its partial index of bookings to be looked at.
  const reviewed = review === true ? sql`${bookings.needsReview} = 1` : sql`${bookings.needsReview} = 0`;
  const created = createdIn(ctx, bookings.createdAt, query);
  return and(
    created && within(created),
    hasExternalId("booking", bookings.id, query.external_id),
    equalTo(bookings, query, "booking_date", "instructor_id", "customer_id"),
    from === undefined ? undefined : since(from),
    to === undefined ? undefined : until(to),
    status === undefined ? undefined : hasStatus(ctx, status),
    paymentStatus === undefined ? undefined : isPaid(paymentStatus),
    refundStatus && ofRefundStatus(refundStatus),
    review === undefined ? undefined : reviewed,
    outside === undefined ? undefined : outside ? outsideHours : sql`NOT ${outsideHours}`,
  );
}

// Wherever the school is, its dates begin within a day of those of UTC: so much of the index is read.
function since(date: string): SQL {
  return sql`${bookings.startAt} >= ${Date.parse(date) - DAY_MS} AND ${bookings.bookingDate} >= ${date}`;
}

function until(date: string): SQL {
  return sql`${bookings.startAt} < ${Date.parse(date) + 2 * DAY_MS} AND ${bookings.bookingDate} <= ${date}`;
}

function isFound(q: string): SQL {
  const number = q.toUpperCase();
  if (!isIndexed(q))
    return sql`(${eq(bookings.bookingNumber, number)} OR ${containsText(q, searchedColumns)})`;
  const numbered = sql`SELECT ${found.id} FROM ${bookings} AS ${found} WHERE ${found.bookingNumber} = ${number}`;
  const theirs = sql`SELECT ${found.id} FROM ${bookings} AS ${found} WHERE ${found.customerId} IN (
    SELECT rowid FROM customers_search WHERE customers_search MATCH ${customerSearch(q)})`;
  const typed = sql`SELECT ${found.id} FROM bookings_search CROSS JOIN ${bookings} AS ${found}
    ON ${found.bookingNumber} = 'BK-' || printf('%06d', bookings_search.rowid) WHERE bookings_search MATCH ${customerSearch(q)}`;
  return sql`${bookings.id} IN (${numbered} UNION ${theirs} UNION ${typed})`;
}

/** The status as of now: a hold that ran out is expired, even before the hourly jobs have run. */
function hasStatus(ctx: ReadCtx, wanted: readonly BookingStatus[]): SQL | undefined {
  const stored = wanted.includes("expired") ? [...wanted, "pending" as const] : wanted;
  return and(inArray(bookings.status, stored), sql`${statusAt(ctx.now)} IN ${wanted}`);
}

/** Bookings of which so much went back; the partial index has those of which something did. */
function ofRefundStatus(status: RefundState): SQL {
  const isOfIt = sql`${bookings.refundStatus} = ${status}`;
  return status === "none" ? isOfIt : sql`${bookings.refundStatus} <> 'none' AND ${isOfIt}`;
}

// Literal text, so that the database can use its partial index of unpaid and refundable bookings.
function isPaid(wanted: readonly PaymentStatus[]): SQL | undefined {
  const isOpen = wanted.every((one) => one === "unpaid" || one === "refund_due");
  const open = sql`${bookings.paymentStatus} IN ('unpaid', 'refund_due')`;
  return and(isOpen ? open : undefined, inArray(bookings.paymentStatus, [...wanted]));
}
