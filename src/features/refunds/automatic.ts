import { type SQL, sql } from "drizzle-orm";
import type { Ctx, ReadCtx } from "#core/context.ts";
import type { Due, Look } from "#core/due.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { nextCall } from "#core/write/next-call.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { bookings } from "#tables/bookings";
import { gatewayCaptures } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";
import { lessonSales } from "#tables/lessons";
import { gatewayRefunds, refundSettings } from "#tables/refunds";
import { intoRefunds } from "./into-refunds.ts";

const AT_ONCE = 50;
const WAIT_MS = 15 * MINUTE_MS;

const { id, intentId, gateway, outcome, advanceAmount, currency, customerId, receivedAt } = gatewayCaptures;

// Came for a lesson that could not take place any more: no document was ever made of it.
const isLate = sql`${outcome} = 'paid' AND EXISTS (
  SELECT 1 FROM ${paymentIntents} JOIN ${bookings} ON ${bookings.id} = ${paymentIntents.refId}
  WHERE ${paymentIntents.id} = ${intentId} AND ${paymentIntents.kind} = 'booking' AND ${bookings.paymentStatus} = 'refund_due'
    AND NOT EXISTS (SELECT 1 FROM ${lessonSales} WHERE ${lessonSales.bookingId} = ${bookings.id}))`;
/** The captures that go back by themselves. The settings name no capture, so where they are off, none is read. */
const wanted = sql`FROM ${gatewayCaptures} INDEXED BY gateway_captures_advance
  WHERE EXISTS (SELECT 1 FROM ${refundSettings} WHERE ${refundSettings.autoRefund} = 'duplicates_and_late')
    AND ${receivedAt} >= (SELECT ${refundSettings.autoSince} FROM ${refundSettings})
    AND ${gatewayCaptures.amount} > ${gatewayCaptures.invoicedAmount} + ${gatewayCaptures.settledAmount} + ${gatewayCaptures.withdrawnAmount} + ${gatewayCaptures.lentAmount}
    AND (${outcome} = 'duplicate_payment' OR (${isLate})) AND ${advanceAmount} >= iif(${gateway} = 'razorpay', 100, 1)
    AND NOT EXISTS (SELECT 1 FROM ${gatewayRefunds} WHERE ${gatewayRefunds.captureId} = ${id})`;

/** Duplicate and late payments that go back by themselves, where the company has that set. */
export const automaticRefunds: Due = {
  look: (ctx: ReadCtx) => sql<Look>`SELECT json_object(
    'due', EXISTS (SELECT 1 ${wanted} AND ${receivedAt} <= ${ctx.now - WAIT_MS}),
    'next', (SELECT min(${receivedAt}) + ${WAIT_MS} ${wanted} AND ${receivedAt} > ${ctx.now - WAIT_MS})
  ) AS snapshot`,
  async act(ctx) {
    const due = sql`${wanted} AND ${receivedAt} <= ${ctx.now - WAIT_MS}`;
    const [found] = await ctx.database.read([
      ctx.database.build.all<{ id: number }>(sql`SELECT ${id} AS id ${due} LIMIT ${AT_ONCE}`),
    ]);
    for (const one of found) await giveBack(ctx, one.id, due);
    // They are sent as refunds that are due.
    return found.length > 0 ? ctx.now : null;
  },
};

/** Stores the refund of a capture once: the unique index of automatic refunds holds it. */
async function giveBack(ctx: Ctx, captureId: number, due: SQL): Promise<void> {
  const own = nextCall(ctx, "refundAutomatically", String(captureId));
  await systemWrite(own, [
    sql`${intoRefunds}
      SELECT ${`auto:${captureId}`}, ${`rf-${ctx.newId()}`}, ${gateway}, ${id}, ${customerId}, NULL, 'api', ${advanceAmount},
        ${advanceAmount}, ${currency}, iif(${outcome} = 'paid', 'late_payment', ${outcome}), NULL, 'normal', 'created', 0, ${ctx.now}, NULL, ${ctx.now}
      ${due} AND ${id} = ${captureId} ON CONFLICT DO NOTHING`,
  ]);
}
