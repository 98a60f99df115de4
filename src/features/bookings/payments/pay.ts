import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx, ReadCtx, WriteCtx } from "#core/context.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import {
  accountsFor,
  askFirst,
  insertIntent,
  type Opened,
  openedBefore,
  refuseManyOpen,
  selectOpen,
} from "#features/gateway-payments";
import { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { bookingSettings, bookings } from "#tables/bookings";
import { customers } from "#tables/customers";
import { contact } from "../bookings/contact.ts";
import type { BookingParams } from "../bookings/schema.ts";
import { expireLapsed } from "../holds/expire-holds.ts";
import { bookingEffects } from "./payment-effects.ts";
import { type BookingPay, type PayableRow, selectPayable } from "./snapshot.ts";
import { openPayment, paymentRequest, requireReturn } from "./start-payment.ts";

const AGAIN_MS = 1_000;

/**
 * Starts the payment of a pending booking, or leads to the one that is open. The first time renews the hold, even one that
 * ran out while the slot is free.
 */
export async function payBooking(ctx: Ctx, { id }: BookingParams, body: BookingPay): Promise<PayableRow> {
  requireReturn(ctx, body);
  const name = `pay:booking:${id}:${body.return_url} ${body.cancel_url}`;
  return ctx.oneByOne(name, () => payAlone(ctx, id, body));
}

async function payAlone(ctx: Ctx, id: string, body: BookingPay): Promise<PayableRow> {
  const [[found], [account], open] = await read(ctx, [
    ctx.db
      .select({
        status: bookings.status,
        paymentStatus: bookings.paymentStatus,
        booking_number: bookings.bookingNumber,
        total_amount: bookings.totalAmount,
        payer: { name: contact.name, email: contact.email, phone: contact.phone },
      })
      .from(bookings)
      .innerJoin(customers, eq(customers.id, bookings.customerId))
      .where(eq(bookings.id, id)),
    accountsFor({ currency: ctx.company.currency }),
    selectOpen(ctx, "booking", id),
  ]);
  if (found === undefined) throw new Problem("not_found");
  if (found.paymentStatus === "paid") throw new Problem("already_paid");
  if (found.status !== "pending" && found.status !== "expired") throw new Problem("invalid_status");
  if (account === undefined) throw new Problem("online_payment_not_enabled");
  const { hasNews, usable } = await askFirst(ctx, bookingEffects, open);
  if (hasNews) await requireUnpaid(ctx, id);
  const { currency } = ctx.company;
  const request = paymentRequest({ ...found, id, currency }, found.payer, body);
  const before = await openedBefore(ctx, account, usable, request);
  if (before !== undefined) return takeAgain(ctx, id, [], before);
  const intent = { kind: "booking", refId: id, amountMinor: found.total_amount, currency } as const;
  const opening = [refuseManyOpen(ctx, account, intent), insertIntent(ctx, account, intent)];
  const row = await takeAgain(ctx, id, opening);
  return openPayment(ctx, account, row, request, { forget: true });
}

async function requireUnpaid(ctx: ReadCtx, id: string): Promise<void> {
  const [[found]] = await ctx.database.read([
    ctx.db.select({ paymentStatus: bookings.paymentStatus }).from(bookings).where(eq(bookings.id, id)),
  ]);
  if (found?.paymentStatus !== "unpaid") throw new Problem("already_paid");
}

// A hold is renewed only once, so that an unpaid booking cannot block a slot.
function takeAgain(
  ctx: WriteCtx,
  id: string,
  opening: readonly SQLWrapper[],
  payment?: Opened,
): Promise<PayableRow> {
  const here = eq(bookings.id, id);
  const anew = sql`(SELECT ${bookingSettings.holdMinutes} FROM ${bookingSettings}) * ${MINUTE_MS} + ${ctx.now}`;
  const hold = sql<number>`iif(${bookings.renewals} = 0, ${anew}, ${bookings.holdExpiresAt})`;
  return atomic(
    ctx,
    [
      expireLapsed(ctx, id),
      ctx.db
        .update(bookings)
        .set({
          status: "pending",
          holdExpiresAt: hold,
          renewals: 1,
          settledBy: "online",
          checkedAt: ctx.now,
          updatedAt: ctx.now,
        })
        .where(
          sql`${here} AND ${bookings.status} IN ('pending', 'expired') AND ${bookings.paymentStatus} = 'unpaid'
            AND ${bookings.startAt} > ${ctx.now}
            AND (${bookings.renewals} = 0 OR (${bookings.status} = 'pending' AND ${bookings.holdExpiresAt} > ${ctx.now}))`,
        ),
      refuseIfNone("invalid_status"),
      ...opening,
    ],
    selectPayable(ctx, here, payment),
    // Others are being opened at this moment: the next try is led to one of them.
    { intent_moved: () => retryLater("unavailable", AGAIN_MS) },
  );
}
