import { eq } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import type { BookingParams } from "./schema.ts";
import { type BookedRow, selectBookings } from "./snapshot.ts";
import { bookings } from "./tables.ts";

export async function getBooking(ctx: CallCtx, { id }: BookingParams): Promise<BookedRow> {
  return readOne(ctx, selectBookings({ now: ctx.now, where: eq(bookings.id, id) }));
}
