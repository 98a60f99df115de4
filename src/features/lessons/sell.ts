import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { insertFromJson } from "#core/sql/json-rows.ts";
import { bookingPackages } from "#tables/bookings";
import { lessonSales } from "#tables/lessons";

const insert = insertFromJson(lessonSales, ["line", "bookingId", "amount", "createdAt"]);

/** Lessons that a document sells, in minor units before tax; `line` is that of an invoice. */
export type SoldLessons = { line: number | null; amount: number };

/** The statements that store what a document sells of lessons; `bookingId` is the booking that was paid, if one was. */
export function sellLessons(
  ctx: ReadCtx,
  document: { invoiceId: SQL<number> } | { receiptId: SQL<number> },
  lessons: readonly SoldLessons[],
  bookingId: string | null,
): SQL[] {
  if (lessons.length === 0) return [];
  // The package is granted before, by the trigger of the booking that was paid.
  const packageId = sql`(SELECT ${bookingPackages.id} FROM ${bookingPackages} WHERE ${bookingPackages.bookingId} = ${bookingId})`;
  return [
    insert(
      lessons.map((sold) => ({ ...sold, bookingId, createdAt: ctx.now })),
      { ...document, packageId },
    ),
  ];
}
