import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { gatewayCaptures } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";
import { gatewayRefunds } from "#tables/refunds";
import { bookings, type PaymentStatus } from "../bookings/tables.ts";

/** Money of a booking that goes back through its gateway, in minor units. */
type GivenBack = {
  amount: number;
  /** `failed` only of what the payer's bank had taken: the school has it again. */
  status: "created" | "pending" | "succeeded" | "failed";
  settled_at: number | null;
  /** 1 where the payer's bank took it: the school gave nothing. */
  by_bank: 0 | 1;
  /** 1 where it is of the payment that paid the booking; 0 of one that was too much. */
  of_price: 0 | 1;
};

const { id, amount, status, source, currency, captureId, settledAt } = gatewayRefunds;

/** The refunds of a booking's payments that have not failed, and the reversed chargebacks, oldest first. It binds no value. */
const givenBack = sql<
  GivenBack[]
>`json((SELECT json_group_array(json_object('amount', amount, 'status', status, 'settled_at', settled_at, 'by_bank', by_bank,
    'of_price', of_price)) FROM (
  SELECT ${amount} AS amount, ${status} AS status, ${settledAt} AS settled_at, ${source} = 'chargeback' AS by_bank,
    ${gatewayCaptures.outcome} = 'paid' AS of_price
  FROM ${paymentIntents} JOIN ${gatewayCaptures} ON ${gatewayCaptures.intentId} = ${paymentIntents.id}
    JOIN ${gatewayRefunds} ON ${captureId} = ${gatewayCaptures.id}
  WHERE ${paymentIntents.kind} = 'booking' AND ${paymentIntents.refId} = ${bookings.id}
    AND (${status} <> 'failed' OR ${source} = 'chargeback') AND ${currency} = ${bookings.currency}
  ORDER BY ${settledAt}, ${id})))`;

const asked = alias(paymentIntents, "asked");
const waiting = alias(gatewayCaptures, "waiting");

const back = alias(gatewayRefunds, "back");

// What a gateway has of a capture that no refund gave back, and the captures of a booking in its currency.
const left = sql`max(0, ${waiting.amount} - ${waiting.settledAmount} - (SELECT coalesce(sum(${back.amount}), 0)
  FROM ${gatewayRefunds} AS ${back} WHERE ${back.captureId} = ${waiting.id} AND ${back.status} <> 'failed'))`;
const ofBooking = sql`${paymentIntents} AS ${asked} JOIN ${gatewayCaptures} AS ${waiting} ON ${waiting.intentId} = ${asked.id}
  WHERE ${asked.kind} = 'booking' AND ${asked.refId} = ${bookings.id} AND ${waiting.currency} = ${bookings.currency}`;
const used = sql<number>`(SELECT coalesce(sum(used), 0) FROM used_credit_of_bookings WHERE booking_id = ${bookings.id})`;

/** What of a booking's money goes back, as columns that bind no value. */
export const moneyBack = {
  given_back: givenBack,
  /** What waits of its money in Customer Advances; all that is owed of what its gateways still have once it is due back. */
  still_held: sql<number>`(SELECT max(0, coalesce(sum(iif(${bookings.paymentStatus} = 'refund_due', ${left}, ${waiting.advanceAmount})), 0)
    - iif(${bookings.paymentStatus} = 'refund_due', ${used}, 0)) FROM ${ofBooking})`,
  /** What another payment stands for of the one that paid it. */
  stands_in: sql<number>`(SELECT coalesce(min(sum(max(0, -${waiting.lentAmount})), sum(${left})), 0) FROM ${ofBooking})`,
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
  used_credit: number;
  applied_credit: number;
  payment_status: PaymentStatus;
};

/** What goes back of a booking's money: what the school gave or gives, what the payer's bank took, and what of the price is left. */
export function moneyBackOf({
  given_back: refunds,
  amount: price,
  still_held: held,
  stands_in: lent,
  used_credit: usedCredit,
  applied_credit: applied,
  payment_status: paid,
}: MoneyBack) {
  const left = refunds.filter(({ status }) => status !== "failed");
  const sum = (is: (one: GivenBack) => boolean) =>
    left.filter(is).reduce((total, one) => total + one.amount, 0);
  const given = (state: GivenBack["status"]) =>
    sum(({ status, by_bank }) => by_bank === 0 && status === state);
  const ofPrice = price - sum(({ of_price }) => of_price === 1) + lent;
  const rest = Math.max(0, ofPrice - (paid === "refunded" ? applied : usedCredit));
  return {
    paidBack: given("succeeded"),
    onItsWay: given("pending"),
    toSend: given("created"),
    byBank: sum(({ by_bank }) => by_bank === 1),
    /** Whether the payer's bank gave the school its money again. */
    isReversed: left.length < refunds.length,
    rest,
    /** What came besides the price, and waits to be paid back. */
    tooMuch: paid === "refund_due" ? Math.max(0, held - rest) : held,
  };
}
