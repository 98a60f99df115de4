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
import { HOUR_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { bookingSettings, bookings, locations } from "#tables/bookings";
import { type OfferBasis, offerBasisParts, selectAsked } from "../availability/offer-basis.ts";
import { requireOffered } from "../availability/offered-slot.ts";
import { type CourseRow, courseJson, lessonJson } from "../courses/courses.ts";
import { dayOf, refuseManyHolds } from "../holds/hold-limits.ts";
import { holdRefusals } from "../holds/hold-refusals.ts";
import { type Booker, whoBooks } from "../holds/who-books.ts";
import { type OwnedPackage, packageJson, refuseUnusable } from "../packages/own-package.ts";
import { type PayableRow, renderPayment, selectPayable } from "../payments/snapshot.ts";
import { requireReturn, tryToOpenPayment } from "../payments/start-payment.ts";
import { durationOf, refuseLong, requireInstructor, requireLesson } from "./bookable-lesson.ts";
import { contactColumns } from "./contact.ts";
import { insertBooking, newBookingId } from "./insert.ts";
import { manageUrl } from "./manage-url.ts";
import type { BookingCreate } from "./schema.ts";
import { renderBooking } from "./snapshot.ts";
import { type BookingWish, ofPayer, payerOf, type Terms } from "./terms.ts";

const SERIES = "booking";
/** How long a free lesson is held until its e-mail address is confirmed. */
const UNPROVEN_MS = 30 * MINUTE_MS;
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

/** What becomes of a lesson that is booked, and the columns that say so. */
const STATES = {
  free: { status: "confirmed", paymentStatus: "paid", settledBy: null },
  paid: { status: "confirmed", paymentStatus: "paid", settledBy: null },
  pay_later: { status: "confirmed", paymentStatus: "unpaid", settledBy: "staff" },
  /** Free, until its e-mail address is confirmed. */
  unproven: { status: "pending", paymentStatus: "paid", settledBy: null },
  pay_online: { status: "pending", paymentStatus: "unpaid", settledBy: "online" },
  /** Until the school confirms it. */
  requested: { status: "pending", paymentStatus: "unpaid", settledBy: "staff" },
} as const;
/** How long the slot is held, in ms; 0 is without an end. */
type Outcome = { name: keyof typeof STATES; holdMs: number };

/** Books a lesson: confirmed at once with a package or without a price, else pending until it is paid. */
export async function createBooking(ctx: Ctx, _params: unknown, body: BookingCreate): Promise<PayableRow> {
  requireReturn(ctx, body);
  const payer = payerOf(body);
  const basis = await readInLine(ctx, body);
  const terms: Terms = { payer, ...ofPayer(ctx, body) };
  const row = await book(ctx, body, terms, basis, (where) => selectPayable(ctx, where));
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

/** Decides on the booking that was read for, and writes it; answers with a SELECT of it. */
export async function book<Row>(
  ctx: Ctx,
  body: BookingWish,
  terms: Terms,
  basis: Basis,
  snapshot: (where: SQL) => SQL<Row>,
): Promise<Row> {
  const lesson = requireBookable(ctx, body, terms, basis);
  const booker = await whoBooks(ctx, body, basis.settings, basis.puzzle_secret);
  const outcome = decide(basis, lesson, booker, terms);
  if (outcome.name === "unproven" && terms.payer?.email == null)
    throw fieldProblem("customer.email", "required", "is required");
  const { id, statements, refusals } = plan(ctx, body, terms, basis, { ...lesson, booker, outcome });
  // A package is changed only where the lesson is paid at once: it is bought, or pays.
  const names = STATES[outcome.name].paymentStatus === "paid" ? undefined : WITHOUT_PACKAGE;
  return atomic(ofOwnRecord(ctx, names), statements, snapshot(eq(bookings.id, id)), refusals);
}

/** What is wished for, where the school offers it: its course, its time and its price, and the package that pays. */
function requireBookable(ctx: Ctx, body: BookingWish, { payer, requirePackage, staff }: Terms, basis: Basis) {
  const owned = body.booking_package_id == null ? null : requirePackage(basis.package);
  const course = requireLesson(basis.course, basis.lesson);
  if (owned !== null && owned.product_id !== course.id)
    throw fieldProblem("product_id", "not_of_package", "is not the package's course", "invalid_product");
  requireInstructor(basis, course.transmission);
  if (body.service_location_id != null && basis.location === null)
    throw fieldProblem("service_location_id", "not_found", "names no active location");
  const duration = durationOf(body, course);
  if (payer !== null) refuseLong(ctx.actor, body, course, duration, basis.settings.slot_length_minutes);
  const timing = requireOffered(ctx, basis, { ...body, duration, force: staff?.force });
  const amount = owned === null ? priceWithTax(course, ctx.company.country) : 0;
  return { owned, course, timing, day: dayOf(basis, timing), amount };
}
type Bookable = ReturnType<typeof requireBookable>;

/** Decides what becomes of a lesson that is booked. */
function decide(
  { settings, online }: Basis,
  { owned, amount }: Bookable,
  { groups }: Booker,
  { staff }: Terms,
): Outcome {
  const mustProve = settings.confirm_free === 1 && groups.client !== null && owned === null;
  if (staff?.payment_status === "paid") return { name: "paid", holdMs: 0 };
  if (amount === 0)
    return mustProve ? { name: "unproven", holdMs: UNPROVEN_MS } : { name: "free", holdMs: 0 };
  if (staff?.status === "confirmed") return { name: "pay_later", holdMs: 0 };
  return online === 1
    ? { name: "pay_online", holdMs: settings.hold_minutes * MINUTE_MS }
    : { name: "requested", holdMs: settings.pending_hours * HOUR_MS };
}

/** The statements that book a lesson with its outcome, and what their refusals mean. */
function plan(
  ctx: Ctx,
  body: BookingWish,
  terms: Terms,
  { settings, account }: Basis,
  { owned, course, timing, amount, day, booker, outcome }: Bookable & { booker: Booker; outcome: Outcome },
) {
  const { status, paymentStatus, settledBy } = STATES[outcome.name];
  const id = newBookingId(ctx);
  // An update pays it, because that is what grants the package.
  const buysPackage = owned === null && paymentStatus === "paid" && course.is_package === 1;
  const customer = terms.customer(owned);
  const lingers = settings.hold_minutes * MINUTE_MS;
  const asked = { id, ...booker, payer: owned === null ? terms.payer : null, lingers, day };
  const charge = { kind: "booking" as const, refId: id, amountMinor: amount, currency: ctx.company.currency };
  const statements = [
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
        status,
        paymentStatus: buysPackage ? "unpaid" : paymentStatus,
        totalAmount: amount,
        currency: ctx.company.currency,
        holdExpiresAt: outcome.holdMs === 0 ? null : ctx.now + outcome.holdMs,
        checkedAt: ctx.now,
        pickupAddress: body.pickup_address ?? null,
        studentNotes: body.student_notes ?? null,
        ...booker.groups,
        visitor: booker.visitor,
        solved: booker.puzzle === "solved" ? 1 : 0,
        emailProof: outcome.name === "unproven" ? ctx.newToken() : null,
        unnotifiedAt: terms.staff?.notify === false ? ctx.now : null,
        paidAt: outcome.name === "paid" ? ctx.now : null,
        settledBy,
        publicToken: ctx.newToken(),
        confirmedAt: status === "confirmed" ? ctx.now : null,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      },
      sql`${lastNumber(SERIES, "")}`,
      customer,
    ),
    ...(buysPackage
      ? [sql`UPDATE ${bookings} SET payment_status = 'paid' WHERE ${eq(bookings.id, id)}`]
      : []),
    ...(amount === 0 ? [] : (terms.booked?.({ bookingId: id, amount, customerId: customer.id }) ?? [])),
    ...refuseManyHolds(ctx, asked),
    ...(settledBy === null || account === undefined ? [] : [insertIntent(ctx, account, charge)]),
  ];
  return { id, statements, refusals: { ...holdRefusals(ctx, asked, settings), ...terms.refusals } };
}

export function renderBookingResult(row: PayableRow, ctx: Ctx) {
  const { public_token: token, ...booking } = row;
  const own = ctx.call.externalId && { external_id: ctx.call.externalId.id };
  return {
    success: true as const,
    booking: { ...renderBooking(booking), manage_url: manageUrl(ctx, token), ...own },
    payment: renderPayment(row, ctx),
  };
}
