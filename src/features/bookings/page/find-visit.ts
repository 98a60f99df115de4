import { eq, type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject, jsonQuery, once, parseRows } from "#core/sql/json.ts";
import { hasGateway } from "#features/gateway-payments";
import { Problem } from "#shared/problem.ts";
import { bookingSettings, bookings, instructors, locations } from "#tables/bookings";
import { profile } from "#tables/company";
import { customers } from "#tables/customers";
import { lessonSales } from "#tables/lessons";
import { products } from "#tables/products";
import { contact } from "../bookings/contact.ts";
import { cancelDeadline, changeDeadlines, statusAt, unexpectedPayment } from "../bookings/snapshot.ts";
import { givenByHand, moneyBack } from "../payments/given-back.ts";
import { backByPolicy } from "../payments/refund-on-cancel.ts";

const shape = {
  id: bookings.id,
  number: bookings.bookingNumber,
  ...columnsNamed(bookings, "public_token", "payment_status", "currency", "booking_date", "start_time"),
  ...columnsNamed(bookings, "end_time", "timezone", "start_at", "end_at", "hold_expires_at", "renewals"),
  ...columnsNamed(bookings, "revision", "updated_at", "instructor_id"),
  unexpected: unexpectedPayment,
  amount: bookings.totalAmount,
  /** 1 where it waits for its e-mail address to be confirmed. */
  is_unproven: sql<number>`iif(${bookings.status} = 'pending', ${bookings.emailProof} IS NOT NULL, 0)`,
  instructor: instructors.name,
  contact: contact.name,
  course: products.name,
  pickup: bookings.pickupAddress,
  place: locations.name,
  city: locations.city,
  school: profile.name,
  phone: profile.phone,
  email: profile.email,
  ...columnsNamed(bookingSettings, "cancel_window_hours", "advance_days"),
  ...moneyBack,
  given_by_hand: givenByHand,
  given_back_at: bookings.givenBackAt,
  /** What there is of its money: the newest document, unless it was voided. */
  paper: sql<
    "invoice" | "receipt" | null
  >`(SELECT CASE WHEN ${lessonSales.receiptId} IS NOT NULL THEN 'receipt'
    WHEN ${lessonSales.endedBy} IS NULL THEN 'invoice' END FROM ${lessonSales}
    WHERE ${lessonSales.bookingId} = ${bookings.id} ORDER BY ${lessonSales.id} DESC LIMIT 1)`,
};
type Stored = JsonRow<typeof shape>;
/** What a person who has a booking's address may see, and what the page is made from. */
export type Visit = Stored & {
  status: typeof bookings.$inferSelect.status;
  pays_online: number;
  /** What goes back by the rule of the school when it is cancelled now. */
  comes_back: number | null;
};

/** Where the lesson begins; null when no place is set. */
export function placeOf({ pickup, place, city }: Visit): string | null {
  return pickup || [place, city].filter(Boolean).join(", ") || null;
}

const columns = once(() => jsonObject(shape));
const source = once(
  () => sql`${bookings} JOIN ${instructors} ON ${instructors.id} = ${bookings.instructorId}
    JOIN ${customers} ON ${customers.id} = ${bookings.customerId} JOIN ${products} ON ${products.id} = ${bookings.productId}
    LEFT JOIN ${locations} ON ${locations.id} = ${bookings.serviceLocationId} CROSS JOIN ${profile} CROSS JOIN ${bookingSettings}`,
);

function selectVisits(ctx: ReadCtx, where: SQL): SQL<Visit> {
  return sql<Visit>`SELECT json_set(${columns()}, '$.status', ${statusAt(ctx.now)},
    '$.pays_online', ${hasGateway(ctx.company.currency)}, '$.comes_back', ${backByPolicy(ctx)}) AS snapshot FROM ${source()} WHERE ${where}`;
}

/** What is known of the booking that a condition finds. */
export async function findOne(ctx: ReadCtx, where: SQL): Promise<Visit | undefined> {
  const [rows] = await ctx.database.read([jsonQuery(ctx, selectVisits(ctx, where))]);
  return parseRows(rows)[0];
}

/** The booking that a public token opens; 404 for an unknown one. */
export async function findVisit(ctx: ReadCtx, token: string): Promise<Visit> {
  const visit = await findOne(ctx, eq(bookings.publicToken, token));
  if (visit === undefined) throw new Problem("not_found");
  return visit;
}

/** Who is to pay for a booking, as gateways take it. */
export async function payerOf(ctx: ReadCtx, id: string) {
  const [[found]] = await ctx.database.read([
    ctx.db
      .select({ name: contact.name, email: contact.email, contact: contact.phone })
      .from(bookings)
      .innerJoin(customers, eq(customers.id, bookings.customerId))
      .where(eq(bookings.id, id)),
  ]);
  return found;
}

/** What can be done with a booking now, by the rules that the operations have. */
export function choicesOf(visit: Visit, now: number) {
  const { status, payment_status: paid, start_at: start, unexpected } = visit;
  const ahead = start > now;
  const open = ahead && (status === "pending" || status === "confirmed");
  const { move } = changeDeadlines(visit);
  const unpaid = paid === "unpaid" && unexpected === null;
  const holds = status === "pending" && (visit.renewals === 0 || visit.hold_expires_at !== null);
  return {
    canPay:
      unpaid && ahead && visit.pays_online === 1 && (holds || (status === "expired" && visit.renewals === 0)),
    canMove: open && move !== null && now <= move,
    canCancel: cancelDeadline(visit, now) !== null,
    isOpen: open,
  };
}
