import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { CallCtx, CoordinationCtx, WriteCtx } from "#core/context.ts";
import { jsonObject, jsonQuery, once, parseRows } from "#core/sql/json.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { Problem } from "#shared/problem.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { bookings } from "#tables/bookings";
import { products } from "#tables/products";
import { type OfferBasis, offerBasisParts, selectAsked } from "../availability/offer-basis.ts";
import { requireOffered } from "../availability/offered-slot.ts";
import { dayOf, refuseFullDay, refuseManyMoves } from "../holds/hold-limits.ts";
import { moveRefusals } from "../holds/hold-refusals.ts";
import { requireInstructor } from "./bookable-lesson.ts";
import { refuseLateChange } from "./cancel-window.ts";
import type { BookingParams, BookingReschedule } from "./schema.ts";
import { type BookedRow, selectBookings } from "./snapshot.ts";
import type { StaffBookingReschedule } from "./staff-schema.ts";
import { type StaffBookingRow, selectStaffBookings } from "./staff-snapshot.ts";

const lesson = alias(products, "lesson");

type Moving = { length: number; transmission: string | null };
type Basis = OfferBasis & { booking: Moving | null };

/** Moves a booking to another time, maybe of another instructor; where that is refused, it stays where it was. */
export async function rescheduleBooking(
  ctx: WriteCtx & CoordinationCtx,
  { id }: BookingParams,
  body: BookingReschedule,
): Promise<BookedRow> {
  return move(ctx, id, body, selectBookings({ now: ctx.now, where: eq(bookings.id, id) }));
}

/** The same, by staff, who may override the booking rules and skip the customer's notification. */
export function rescheduleByStaff(
  ctx: WriteCtx & CoordinationCtx,
  { id }: BookingParams,
  body: StaffBookingReschedule,
): Promise<StaffBookingRow> {
  return move(ctx, id, body, selectStaffBookings(ctx, eq(bookings.id, id)), body.force);
}

const basisJson = once(() => {
  const booking = jsonObject({
    length: sql<number>`${bookings.endAt} - ${bookings.startAt}`,
    // A package has the transmission of its lesson.
    transmission: sql<string | null>`coalesce((SELECT ${lesson.transmission} FROM ${products} AS ${lesson}
      WHERE ${lesson.id} = ${products.lessonProductId}), ${products.transmission})`,
  });
  return jsonObject({
    ...offerBasisParts(),
    booking: sql<Moving | null>`json((SELECT ${booking} FROM ${bookings}
      JOIN ${products} ON ${products.id} = ${bookings.productId} WHERE ${bookings.id} = ask.booking_id))`,
  });
});

async function readBasis(ctx: CallCtx, id: string, body: BookingReschedule): Promise<Basis> {
  const own = sql`(SELECT ${bookings.instructorId} FROM ${bookings} WHERE ${bookings.id} = ${id})`;
  const date = body.booking_date;
  const of = { instructorId: body.instructor_id ?? own, from: date, to: date, bookingId: id };
  const select = selectAsked(ctx, of, basisJson);
  const [rows] = await read(ctx, [jsonQuery(ctx, select)]);
  const [basis] = parseRows(rows);
  if (basis?.booking == null) throw new Problem("not_found");
  return basis;
}

async function move<Row>(
  ctx: WriteCtx & CoordinationCtx,
  id: string,
  body: StaffBookingReschedule,
  snapshot: SQL<Row>,
  anyTime = false,
): Promise<Row> {
  const inLine = ctx.standInLine(`${body.instructor_id ?? id}:${body.booking_date}`);
  const [basis] = await Promise.all([readBasis(ctx, id, body), inLine]);
  const { instructor, booking } = basis;
  requireInstructor(basis, booking?.transmission ?? null);
  const duration = (booking?.length ?? 0) / MINUTE_MS;
  const timing = requireOffered(ctx, basis, { ...body, duration, force: anyTime });
  const here = eq(bookings.id, id);
  const day = dayOf(basis, timing);
  return atomic(
    ctx,
    [
      ...refuseLateChange(ctx, id, body.force),
      ...refuseManyMoves(ctx, id),
      ctx.db
        .update(bookings)
        .set({
          ...timing,
          instructorId: instructor?.id ?? 0,
          unnotifiedAt: body.notify === false ? ctx.now : undefined,
          checkedAt: ctx.now,
          updatedAt: ctx.now,
        })
        .where(sql`${here} AND ${bookings.status} IN ('pending', 'confirmed')`),
      refuseIfNone("invalid_status"),
      ...refuseFullDay(ctx, id, day),
    ],
    snapshot,
    moveRefusals(ctx, id, day),
  );
}
