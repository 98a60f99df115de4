import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { uncovered } from "#features/credit-notes";
import { bookings } from "#tables/bookings";
import { advances, gatewayCaptures } from "#tables/captures";
import { creditNotes, creditPayouts } from "#tables/credit-notes";
import { paymentIntents } from "#tables/gateway-payments";
import { lessonSales } from "#tables/lessons";
import { gatewayRefunds } from "#tables/refunds";
import type { PaymentStatus } from "../bookings/statuses.ts";

/** Money of a booking that goes back through its gateway, in minor units. */
type GivenBack = {
  amount: number;
  status: "created" | "pending" | "succeeded";
  settled_at: number | null;
  /** 1 where the payer's bank took it: the school gave nothing. */
  by_bank: 0 | 1;
  /** 1 where it is of the payment that paid the booking; 0 of one that was too much. */
  of_price: 0 | 1;
};

const { id, amount, status, source, currency, captureId, settledAt } = gatewayRefunds;

/** The refunds of a booking's payments that have not failed, oldest first. It binds no value. */
const givenBack = sql<
  GivenBack[]
>`json((SELECT json_group_array(json_object('amount', amount, 'status', status, 'settled_at', settled_at, 'by_bank', by_bank,
    'of_price', of_price)) FROM (
  SELECT ${amount} AS amount, ${status} AS status, ${settledAt} AS settled_at, ${source} = 'chargeback' AS by_bank,
    ${gatewayCaptures.outcome} = 'paid' AS of_price
  FROM ${paymentIntents} JOIN ${gatewayCaptures} ON ${gatewayCaptures.intentId} = ${paymentIntents.id}
    JOIN ${gatewayRefunds} ON ${captureId} = ${gatewayCaptures.id}
  WHERE ${paymentIntents.kind} = 'booking' AND ${paymentIntents.refId} = ${bookings.id}
    AND ${status} <> 'failed' AND ${currency} = ${bookings.currency}
  ORDER BY ${settledAt}, ${id})))`;

/** Money of a booking that its school gave back outside its gateways, in minor units; `of_price` as above. */
type GivenByHand = { amount: number; day: string; of_price: 0 | 1 };

/** The payouts of its invoice's credit notes, and what staff settled of its captures, by day. It binds no value. */
export const givenByHand = sql<
  GivenByHand[]
>`json((SELECT json_group_array(json_object('amount', amount, 'day', day, 'of_price', of_price)) FROM (
  SELECT ${creditPayouts.amount} AS amount, ${creditPayouts.payoutDate} AS day, 1 AS of_price
  FROM ${lessonSales} JOIN ${creditNotes} ON ${creditNotes.invoiceId} = ${lessonSales.invoiceId}
    JOIN ${creditPayouts} ON ${creditPayouts.creditNoteId} = ${creditNotes.id}
  WHERE ${lessonSales.bookingId} = ${bookings.id} AND ${lessonSales.endedBy} IS NULL AND ${creditPayouts.reversedAt} IS NULL
  UNION ALL
  SELECT sum(iif(${advances.kind} = 'settled', ${advances.amount}, -${advances.amount})) AS settled, max(${advances.entryDate}),
    ${gatewayCaptures.outcome} = 'paid'
  FROM ${paymentIntents} JOIN ${gatewayCaptures} ON ${gatewayCaptures.intentId} = ${paymentIntents.id}
    JOIN ${advances} ON ${advances.captureId} = ${gatewayCaptures.id} AND ${advances.kind} IN ('settled', 'reopened')
  WHERE ${paymentIntents.kind} = 'booking' AND ${paymentIntents.refId} = ${bookings.id} AND ${gatewayCaptures.currency} = ${bookings.currency}
  GROUP BY ${gatewayCaptures.id} HAVING settled > 0)))`;

const asked = alias(paymentIntents, "asked");
const waiting = alias(gatewayCaptures, "waiting");

const back = alias(gatewayRefunds, "back");

// What a gateway has of a capture that no refund gave back, and the captures of a booking in its currency.
const left = sql`max(0, ${waiting.amount} - ${waiting.settledAmount} - (SELECT coalesce(sum(${back.amount}), 0)
  FROM ${gatewayRefunds} AS ${back} WHERE ${back.captureId} = ${waiting.id} AND ${back.status} <> 'failed'))`;
const ofBooking = sql`${paymentIntents} AS ${asked} JOIN ${gatewayCaptures} AS ${waiting} ON ${waiting.intentId} = ${asked.id}
  WHERE ${asked.kind} = 'booking' AND ${asked.refId} = ${bookings.id} AND ${waiting.currency} = ${bookings.currency}`;
const used = sql<number>`(SELECT coalesce(sum(used), 0) FROM used_credit_of_bookings WHERE booking_id = ${bookings.id})`;

// What the school took by hand, where no gateway took the price.
const byHand = sql`iif(coalesce(max(${waiting.outcome} = 'paid'), 0), 0, ${bookings.totalAmount})`;

/** What of a booking's money goes back, as columns that bind no value. */
export const moneyBack = {
  given_back: givenBack,
  /** What waits of its money in Customer Advances; all that is owed of what its gateways still have once it is due back. */
  still_held: sql<number>`(SELECT iif(${bookings.paymentStatus} = 'refund_due', max(0, coalesce(sum(${left}), 0) + ${byHand} - ${used}),
    coalesce(sum(${waiting.advanceAmount}), 0)) FROM ${ofBooking})`,
  /** What another payment stands for of the one that paid it. */
  stands_in: sql<number>`(SELECT coalesce(min(sum(max(0, -${waiting.lentAmount})), sum(${left})), 0) FROM ${ofBooking})`,
  /** The unused credit of its invoice, less what gateways gave back by themselves. */
  unused_credit: sql<number>`(SELECT coalesce(max(0, sum(${creditNotes.unappliedAmount}) - max(${uncovered})), 0)
    FROM ${lessonSales} JOIN ${creditNotes} ON ${creditNotes.invoiceId} = ${lessonSales.invoiceId}
    WHERE ${lessonSales.bookingId} = ${bookings.id} AND ${lessonSales.endedBy} IS NULL)`,
  /** What of the credit of its invoice was paid out, or paid other invoices; and the latter of it. */
  used_credit: used,
  applied_credit: sql<number>`(SELECT coalesce(sum(applied), 0) FROM used_credit_of_bookings WHERE booking_id = ${bookings.id})`,
};

/** A booking's price, and what of its money goes back. */
export type MoneyBack = {
  given_back: readonly GivenBack[];
  amount: number;
  still_held: number;
  stands_in: number;
  unused_credit: number;
  used_credit: number;
  applied_credit: number;
  payment_status: PaymentStatus;
};

/** What comes back of a booking that is cancelled now: by the rule of its school, else what the school then owes. */
export function backOnCancel(row: MoneyBack & { comes_back: number | null }): number {
  const { stays, due } = moneyBackOf(row);
  return row.comes_back ?? (row.payment_status === "paid" ? stays + due : 0);
}

/** What goes back of a booking's money: what the school gave, gives and owes, what the payer's bank took, and what stays paid. */
export function moneyBackOf({
  given_back: refunds,
  amount: price,
  still_held: held,
  stands_in: lent,
  unused_credit: unused,
  used_credit: usedCredit,
  applied_credit: applied,
  payment_status: paid,
}: MoneyBack) {
  const sum = (is: (one: GivenBack) => boolean) =>
    refunds.filter(is).reduce((total, one) => total + one.amount, 0);
  const given = (state: GivenBack["status"]) =>
    sum(({ status, by_bank }) => by_bank === 0 && status === state);
  const ofPrice = price - sum(({ of_price }) => of_price === 1) + lent;
  const isPaid = paid === "paid";
  return {
    paidBack: given("succeeded"),
    onItsWay: given("pending"),
    toSend: given("created"),
    byBank: sum(({ by_bank }) => by_bank === 1),
    /** What the school owes, and has not sent: as `GET /refunds/{company}/due` lists it, and what it took by hand. */
    due: held + (isPaid ? unused : 0),
    stays: isPaid ? Math.max(0, ofPrice - usedCredit - unused) : 0,
    /** What the school gave back outside its gateways. */
    givenByHand: paid === "refunded" ? Math.max(0, ofPrice - applied) : 0,
  };
}
