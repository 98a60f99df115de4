import { eq, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { lessonReceipts } from "#tables/bookings";
import { invoices } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";

export type Receipt = typeof lessonReceipts.$inferSelect;

/** The newest document of a booking's money: its receipt, or the token of its invoice; undefined without one that shows. */
export async function findPaper(
  ctx: ReadCtx,
  bookingId: string,
): Promise<{ receipt: Receipt | null; invoice_token: string | null } | undefined> {
  const newest = sql`(SELECT max(${lessonSales.id}) FROM ${lessonSales} WHERE ${lessonSales.bookingId} = ${bookingId})`;
  const [[paper]] = await ctx.database.read([
    ctx.db
      .select({ receipt: lessonReceipts, invoice_token: invoices.publicToken })
      .from(lessonSales)
      .leftJoin(lessonReceipts, eq(lessonReceipts.id, lessonSales.receiptId))
      .leftJoin(invoices, sql`${invoices.id} = ${lessonSales.invoiceId} AND ${invoices.status} <> 'voided'`)
      .where(eq(lessonSales.id, newest)),
  ]);
  return paper?.receipt == null && paper?.invoice_token == null ? undefined : paper;
}
