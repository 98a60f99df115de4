import { eq } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { Problem } from "#shared/problem.ts";
import { bookings } from "../tables.ts";
import type { BookingParams } from "./schema.ts";
import { type BookedRow, selectBookings } from "./snapshot.ts";

export async function getBooking(ctx: Ctx, { id }: BookingParams): Promise<BookedRow> {
  const [rows] = await read(ctx, [jsonQuery(ctx, selectBookings(ctx, eq(bookings.id, id)))]);
  const [booking] = parseRows(rows);
  if (booking === undefined) throw new Problem("not_found");
  return booking;
}
