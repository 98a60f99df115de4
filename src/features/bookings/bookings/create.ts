import { eq, type SQL, sql } from "drizzle-orm";
import type { Changes, Ctx } from "#core/context.ts";
import { jsonObject, jsonQuery, once, parseRows } from "#core/sql/json.ts";
import { atomic } from "#core/write/atomic.ts";
import { ofOwnRecord } from "#core/write/events.ts";
import { lastNumber, takeNumber } from "#core/write/number-series.ts";
import { read } from "#core/write/replay.ts";
import { type AccountRow, accountsFor, hasGateway, insertIntent } from "#features/gateway-payments";
import { priceWithTax } from "#features/products";
import { fieldProblem } from "#shared/problem.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import {
  type OfferBasis,
  offerBasisParts,
  selectAsked,
  slotSettingsOf,
} from "../availability/offer-basis.ts";
import { requireOffered, withoutNotice } from "../availability/offered-slot.ts";
import { type CourseRow, courseJson, lessonJson } from "../courses/courses.ts";
import { holdLength, UNPROVEN_MS } from "../holds/hold-length.ts";
import { dayOf, refuseManyHolds } from "../holds/hold-limits.ts";
import { holdRefusals } from "../holds/hold-refusals.ts";
import { whoBooks } from "../holds/who-books.ts";
import { locations } from "../locations/tables.ts";
import { type OwnedPackage, packageJson, refuseUnusable } from "../packages/own-package.ts";
import { type PayableRow, renderPayment, selectPayable } from "../payments/snapshot.ts";
import { requireReturn, tryToOpenPayment } from "../payments/start-payment.ts";
import { bookingSettings } from "../settings/tables.ts";
import { durationOf, refuseLong, requireInstructor, requireLesson } from "./bookable-lesson.ts";
import { contactColumns } from "./contact.ts";
import { insertBooking, newBookingId } from "./insert.ts";
import { manageUrl } from "./manage-url.ts";
import type { BookingCreate } from "./schema.ts";
import { renderBooking } from "./snapshot.ts";
import { bookings } from "./tables.ts";
import { type BookingWish, ofPayer, payerOf, type Terms } from "./terms.ts";

const SERIES = "booking";
const WITHOUT_PACKAGE: Changes["names"] = ["booking", "customer"];

/** All that is read before a booking is written. */
type Basis = OfferBasis & {
  course: CourseRow | null;
  /** What the course begins with, where it is a package. */
  lesson: CourseRow | null;
  location: number | null;
  package: OwnedPackage | null;
  /** Turnstile's, encrypted. */
  puzzle_secret: string | null;
  /** 1 where a gateway takes the currency. */
  online: number;
  /** The gateway's account, read where the payment is to be started. */
  account: AccountRow | undefined;
};

/** Books a lesson: confirmed at once with a package or without a price, else pending until it is paid. */
export async function createBooking(ctx: Ctx, _params: unknown, body: BookingCreate): Promise<PayableRow> {
  requireReturn(ctx, body);
  const payer = payerOf(body);
  const basis = await readInLine(ctx, body);
  const terms: Terms = { payer, ...ofPayer(ctx, body) };
  const row = await write(ctx, body, terms, basis, (where) => selectPayable(ctx, where));
  if (row.status === "pending" && row.total_amount === 0) ctx.queueNotifications();
  if (basis.account === undefined || row.intent_id === null) return row;
  return tryToOpenPayment(ctx, basis.account, row, payer, body);
}

const basisJson = once(() =>
  jsonObject({
    ...offerBasisParts(),
    course: courseJson(sql`coalesce(ask.product_id, json_extract(${packageJson()}, '$.product_id'))`),
    lesson: lessonJson(sql`ask.product_id`),
    location: sql<
      number | null
    >`(SELECT ${locations.id} FROM ${locations} WHERE ${locations.id} = ask.location_id
      AND ${locations.isActive} = 1 AND ${locations.deletedAt} IS NULL)`,
    package: packageJson(),
    puzzle_secret: sql<string | null>`(SELECT ${bookingSettings.turnstileSecret} FROM ${bookingSettings})`,
    online: sql<number>`ask.online`,
  }),
);

/** Reads all that decides on a booking, and waits in the line of its day. */
export async function readInLine(ctx: Ctx, body: BookingWish): Promise<Basis> {
  // Beside the read, for the line only spaces out racers; that a slot is booked once is up to the overlap rule.
  const inLine = ctx.standInLine(`${body.instructor_id}:${body.booking_date}`);
  const [basis] = await Promise.all([readBasis(ctx, body), inLine]);
  return basis;
}

async function readBasis(ctx: Ctx, body: BookingWish): Promise<Basis> {
  const { instructor_id: instructorId, booking_date: date } = body;
  const more = sql`, ${body.product_id ?? null} AS product_id, ${body.booking_package_id ?? null} AS package_id,
    ${body.service_location_id ?? null} AS location_id, ${hasGateway(ctx.company.currency)} AS online`;
  const select = selectAsked<unknown>(ctx, { instructorId, from: date, to: date }, basisJson, more);
  const [rows, [account]] =
    body.return_url == null
      ? [...(await read(ctx, [jsonQuery(ctx, select)])), []]
      : await read(ctx, [jsonQuery(ctx, select), accountsFor({ currency: ctx.company.currency })]);
  const [basis] = parseRows(rows) as Omit<Basis, "account">[];
  if (basis === undefined) throw new Error("The basis of a booking is one row");
  return { ...basis, account };
}

/** Writes the booking that was read for; answers with a SELECT of it. */
export async function write<Row>(
  ctx: Ctx,
  body: BookingWish,
  terms: Terms,
  basis: Basis,
  snapshot: (where: SQL) => SQL<Row>,
): Promise<Row> {
  const { settings, account } = basis;
  const { payer, unnotified = false } = terms;
  const owned = body.booking_package_id == null ? null : terms.requirePackage(basis.package);
  const course = requireLesson(basis.course, basis.lesson);
  if (owned !== null && owned.product_id !== course.id)
    throw fieldProblem("product_id", "not_of_package", "is not the package's course", "invalid_product");
  requireInstructor(basis, course.transmission);
  if (body.service_location_id != null && basis.location === null)
    throw fieldProblem("service_location_id", "not_found", "names no active location");
  const duration = durationOf(body, course);
  if (payer !== null) refuseLong(ctx.actor, body, course, duration, settings.slot_length_minutes);
  const wish = { date: body.booking_date, minute: body.start_time, duration };
  const usual = slotSettingsOf(ctx, settings);
  const timing = requireOffered(basis, terms.force === true ? withoutNotice(usual) : usual, wish, ctx.now);

  const amount = owned === null ? priceWithTax(course, ctx.company.country) : 0;
  const free = amount === 0 || terms.paid === true;
  const buysPackage = free && owned === null && basis.course?.is_package === 1;
  const booker = await whoBooks(ctx, body, settings, basis.puzzle_secret);
  const isUnproven =
    settings.confirm_free === 1 && booker.groups.client !== null && owned === null && amount === 0;
  if (isUnproven && payer?.email == null) throw fieldProblem("customer.email", "required", "is required");
  const confirmed = (free && !isUnproven) || terms.confirmed === true;
  const holdMs = isUnproven ? UNPROVEN_MS : holdLength(settings, basis.online === 1);
  const id = newBookingId(ctx);
  const asked = {
    ...{ id, ...booker, payer: owned === null ? payer : null },
    lingers: settings.hold_minutes * MINUTE_MS,
    day: dayOf(basis, settings, body, timing),
  };
  const customer = terms.customer(owned);
  const charge = { kind: "booking" as const, refId: id, amountMinor: amount, currency: ctx.company.currency };
  // A package is changed only where the lesson is paid at once: it is bought, or pays.
  return atomic(
    free ? ofOwnRecord(ctx) : ofOwnRecord(ctx, WITHOUT_PACKAGE),
    [
      takeNumber(SERIES, ""),
      ...customer.statements,
      ...(owned === null ? [] : [refuseUnusable(ctx, owned)]),
      insertBooking(
        {
          id,
          operation: ctx.call.id,
          ...contactColumns(terms.contact),
          instructorId: body.instructor_id,
          productId: course.id,
          serviceLocationId: body.service_location_id ?? null,
          bookingPackageId: owned?.id ?? null,
          ...timing,
          status: confirmed ? "confirmed" : "pending",
          paymentStatus: free && !buysPackage ? "paid" : "unpaid",
          totalAmount: amount,
          currency: ctx.company.currency,
          holdExpiresAt: confirmed || holdMs === 0 ? null : ctx.now + holdMs,
          checkedAt: ctx.now,
          pickupAddress: body.pickup_address ?? null,
          studentNotes: body.student_notes ?? null,
          ...booker.groups,
          visitor: booker.visitor,
          solved: booker.puzzle === "solved" ? 1 : 0,
          emailProof: isUnproven ? ctx.newToken() : null,
          unnotifiedAt: unnotified ? ctx.now : null,
          paidAt: terms.paid === true ? ctx.now : null,
          settledBy: free ? null : basis.online === 1 && !confirmed ? "online" : "staff",
          publicToken: ctx.newToken(),
          confirmedAt: confirmed ? ctx.now : null,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        },
        sql`${lastNumber(SERIES, "")}`,
        customer,
      ),
      ...(buysPackage
        ? [sql`UPDATE ${bookings} SET payment_status = 'paid' WHERE ${eq(bookings.id, id)}`]
        : []),
      ...(terms.paid === true && amount > 0
        ? (terms.booked?.({ bookingId: id, amount, customerId: customer.id }) ?? [])
        : []),
      ...refuseManyHolds(ctx, asked),
      ...(free || account === undefined ? [] : [insertIntent(ctx, account, charge)]),
    ],
    snapshot(eq(bookings.id, id)),
    { ...holdRefusals(ctx, asked, settings), ...terms.refusals },
  );
}

export function renderBookingResult(row: PayableRow, ctx: Pick<Ctx, "origin" | "company" | "services">) {
  const { public_token: token, ...booking } = row;
  return {
    success: true as const,
    booking: { ...renderBooking(booking), manage_url: manageUrl(ctx, token) },
    payment: renderPayment(row, ctx),
  };
}
