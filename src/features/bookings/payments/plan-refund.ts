import { eq, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { creditNoteQueries, creditOf, foundFor } from "#features/credit-notes";
import { capturesOf } from "#features/gateway-payments";
import {
  advancesOf,
  askedBy,
  exceeds,
  freeAdvance,
  freeOfInvoice,
  type Held,
  newRefund,
  ofAdvance,
  type Plan,
  planAdvances,
  planByNotes,
  refuseSmall,
  reportedRefundRuns,
  selectHeld,
  sharesOf,
  storing,
  tooLate,
  type Wanted,
} from "#features/refunds";
import { fill, sum } from "#shared/money/shares.ts";
import { isOfExtraMoney } from "#shared/payments/refunds.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { bookings, lessonReceipts } from "#tables/bookings";
import { creditNotes } from "#tables/credit-notes";
import { lessonSales } from "#tables/lessons";
import { endDocuments } from "../receipts/give-back.ts";

/**
 * The plan of a booking's refund. Its documents end in the same batch, and what came for it goes back. A part of what was
 * paid, and what an invoice leaves that cannot be voided, goes back by credit notes.
 */
export async function planBookingRefund(ctx: Ctx, id: string, body: Wanted): Promise<Plan> {
  const { booking, held, noted } = await look(ctx, id);
  const { paymentStatus } = booking;
  const advances = advancesOf(held);
  const documented = held.map((one) => (one.isAsked === 1 ? bookedOf(one, booking) : 0));
  if (paymentStatus === "paid" && isOfExtraMoney(body.reason)) return planAdvances(ctx, held, body);
  const isVoidable = booking.hasNotes === 0 && booking.uncovered === 0 && noted[0][0]?.isClosed !== 1;
  const free = held.map((one, place) => freeWith(one, documented[place] ?? 0, advances[place] ?? 0));
  const ofInvoice = leftOfInvoice(booking, held, noted);
  const waiting = sum(advances);
  const whole = booking.invoiceId === null || isVoidable ? sum(free) : waiting + ofInvoice;
  const amount = body.amount ?? whole;
  if (amount === 0 || amount > whole) throw exceeds("refund_exceeds_payment", whole, held);
  const isPart = paymentStatus === "paid" && amount < whole;
  if (sum(documented) === 0 || (amount <= waiting && (isPart || !isVoidable)))
    return planAdvances(ctx, held, body);
  if (isPart || !isVoidable) {
    if (booking.invoiceId !== null) {
      const plan = planByNotes(ctx, foundFor(noted), held, body, {
        ...{ advances: fill(amount, advances), ofInvoice: amount - waiting, isAll: amount === whole },
        ...{ notes: booking.notes, credit: booking.unused - booking.uncovered },
      });
      if (isPart) return plan;
      return { ...plan, statements: [...oweNow(ctx, id, paymentStatus), ...plan.statements] };
    }
    const message = "The booking has a receipt: issue its invoice first, or give back all";
    throw new Problem("credit_note_required", { message });
  }
  const shares = sharesOf(fill(amount, free), held);
  refuseSmall(shares);
  const all = shares.map((share) => newRefund(ctx, ofAdvance(share), askedBy(body)));
  const { statements, refusals } = storing(ctx, all, tooLate(whole, held));
  return {
    statements: [
      refuseWhen(reportedRefundRuns(id), "refund_in_progress"),
      ...oweNow(ctx, id, paymentStatus),
      ...endDocuments(ctx, id),
      ...statements,
    ],
    all,
    refusals,
  };
}

async function look(ctx: Ctx, id: string) {
  const invoiceId = sql<number | null>`(SELECT ${lessonSales.invoiceId} FROM ${lessonSales}
    WHERE ${lessonSales.bookingId} = ${id} AND ${lessonSales.endedBy} IS NULL)`;
  const { gateway, gatewayPaymentId, amount, bookingId, endedBy } = lessonReceipts;
  const [[booking], held, ...noted] = await read(ctx, [
    ctx.db
      .select({
        paymentStatus: bookings.paymentStatus,
        invoiceId,
        ...creditOf(invoiceId),
        hasNotes: sql<number>`EXISTS (SELECT 1 FROM ${creditNotes} WHERE ${creditNotes.invoiceId} = ${invoiceId}
          AND ${creditNotes.status} = 'issued')`,
        used: sql<number>`(SELECT coalesce(sum(used), 0) FROM used_credit_of_bookings WHERE booking_id = ${id})`,
        receipt: sql<
          string | null
        >`(SELECT json_object('gateway', ${gateway}, 'payment', ${gatewayPaymentId}, 'amount', ${amount})
          FROM ${lessonReceipts} WHERE ${bookingId} = ${id} AND ${endedBy} IS NULL)`,
      })
      .from(bookings)
      .where(eq(bookings.id, id)),
    selectHeld(ctx, capturesOf("booking", id), invoiceId),
    ...creditNoteQueries(sql<number>`${invoiceId}`),
  ] as const);
  if (booking === undefined) throw fieldProblem("booking_id", "not_found", "names no booking");
  const notes: number[] = JSON.parse(booking.notes);
  return { booking: { ...booking, notes }, held, noted };
}
type Seen = Awaited<ReturnType<typeof look>>;
type Booking = Seen["booking"];
type Receipt = { gateway: string | null; payment: string | null; amount: number };

/**
 * What of an invoice that cannot be voided may go back: what of its money the gateways still have, less what the customer
 * has by its notes; no more than their unused credit where no line is left to credit.
 */
function leftOfInvoice(
  { used, unused, uncovered }: Booking,
  held: Seen["held"],
  [, lines]: Seen["noted"],
): number {
  const left = sum(held.map(freeOfInvoice)) - used;
  const mayCredit = lines.some(({ taxableLeft }) => taxableLeft > 0);
  return Math.max(0, mayCredit ? left : Math.min(left, unused - uncovered));
}

/** What of the money of the booking's document a capture has. */
function bookedOf({ capture, paid }: Held, { receipt }: Booking): number {
  const own: Receipt | null = receipt === null ? null : JSON.parse(receipt);
  const isOf = own?.gateway === capture.gateway && own.payment === capture.gatewayPaymentId;
  return paid + (isOf ? (own?.amount ?? 0) : 0);
}

/** What of a capture is free once its documents have ended. */
function freeWith(one: Held, documented: number, advance: number): number {
  if (documented === 0) return advance;
  const { capture } = one;
  return freeAdvance({ ...one, capture: { ...capture, advanceAmount: capture.advanceAmount + documented } });
}

/** The statements after which the money of a booking is due back, if it is as it was read. */
function oweNow(ctx: Ctx, id: string, seen: Booking["paymentStatus"]) {
  const here = sql`${bookings.id} = ${id} AND ${bookings.paymentStatus} = ${seen}`;
  return [
    refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${bookings} WHERE ${here})`, "invalid_status"),
    ctx.db.update(bookings).set({ paymentStatus: "refund_due", updatedAt: ctx.now }).where(here),
  ];
}
