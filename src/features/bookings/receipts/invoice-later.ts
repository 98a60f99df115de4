import { and, eq, isNull, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { advanceEnded, recountRefunds } from "#features/captures";
import { reverseEntries } from "#features/ledger";
import { removedEarnings } from "#features/lessons";
import { Problem } from "#shared/problem.ts";
import { bookings, lessonReceipts } from "#tables/bookings";
import { paymentModes } from "#tables/payments";
import type { BookingParams } from "../bookings/schema.ts";
import { type StaffBookingRow, selectStaffBookings } from "../bookings/staff-snapshot.ts";
import { invoicePayment } from "./book-payment.ts";
import { endedReceipts } from "./give-back.ts";
import type { Way } from "./issue-receipt.ts";
import { paidLesson, selectSale, selectSeller } from "./sale.ts";

/**
 * Issues the invoice of a booking whose payment has a receipt, which it ends: a receipt voucher is adjusted by the invoice
 * that follows (CGST Act, s.31(3)(d)). The receipt's entry and what its lessons had earned are reversed today; they are
 * earned anew. Throws 409 `invalid_status` where no receipt stands.
 */
export async function invoiceBooking(ctx: Ctx, { id }: BookingParams): Promise<StaffBookingRow> {
  requireScope(ctx, "invoices:write");
  const isLive = and(eq(lessonReceipts.bookingId, id), isNull(lessonReceipts.endedBy));
  const [[found], [seller], [paid]] = await read(ctx, [
    selectSale({ id }),
    selectSeller({}),
    ctx.db
      .select({ receipt: lessonReceipts, mode: paymentModes })
      .from(lessonReceipts)
      .leftJoin(paymentModes, eq(paymentModes.id, lessonReceipts.paymentModeId))
      .where(isLive),
  ]);
  if (found === undefined || seller === undefined) throw new Problem("not_found");
  if (paid === undefined)
    throw new Problem("invalid_status", {
      message: "The booking has no receipt: it is unpaid, or has its invoice already",
    });
  return atomic(
    ctx,
    [
      ctx.db
        .update(lessonReceipts)
        .set({ endedBy: ctx.call.id })
        .where(sql`${isLive} AND ${lessonReceipts.id} = ${paid.receipt.id}`),
      refuseIfNone("invalid_status"),
      ...reverseEntries(ctx, [endedReceipts(ctx), removedEarnings(ctx)]),
      ...advanceEnded(ctx),
      ...invoicePayment(ctx, paidLesson(ctx, found), seller, wayOf(paid)),
      recountRefunds(ctx, paid.receipt),
    ],
    selectStaffBookings(ctx, eq(bookings.id, id)),
  );
}

/** Money of a gateway waits in Customer Advances, once its receipt has ended. */
function wayOf({
  receipt,
  mode,
}: {
  receipt: typeof lessonReceipts.$inferSelect;
  mode: typeof paymentModes.$inferSelect | null;
}): Way {
  const { gateway, gatewayPaymentId } = receipt;
  if (gateway !== null && gatewayPaymentId !== null) return { gateway, gatewayPaymentId, isAdvance: true };
  if (mode === null) throw new Error(`Receipt ${receipt.id} came by no way`);
  return { mode };
}
