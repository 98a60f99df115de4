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
export const givenBack = sql<
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

/** What waits of a booking's money in Customer Advances; all that its gateways still have once it is due back. It binds no value. */
export const stillHeld = sql<number>`(SELECT coalesce(sum(iif(${bookings.paymentStatus} = 'refund_due',
    max(0, ${waiting.amount} - ${waiting.settledAmount} - (SELECT coalesce(sum(${back.amount}), 0) FROM ${gatewayRefunds} AS ${back}
      WHERE ${back.captureId} = ${waiting.id} AND ${back.status} <> 'failed')), ${waiting.advanceAmount})), 0)
  FROM ${paymentIntents} AS ${asked} JOIN ${gatewayCaptures} AS ${waiting} ON ${waiting.intentId} = ${asked.id}
  WHERE ${asked.kind} = 'booking' AND ${asked.refId} = ${bookings.id} AND ${waiting.currency} = ${bookings.currency})`;

/** A booking's price, and what of its money goes back. */
export type MoneyBack = {
  given_back: readonly GivenBack[];
  amount: number;
  still_held: number;
  payment_status: PaymentStatus;
};

/** What goes back of a booking's money: what the school gave or gives, what the payer's bank took, and what of the price is left. */
export function moneyBackOf({
  given_back: refunds,
  amount: price,
  still_held: held,
  payment_status: paid,
}: MoneyBack) {
  const left = refunds.filter(({ status }) => status !== "failed");
  const sum = (is: (one: GivenBack) => boolean) =>
    left.filter(is).reduce((total, one) => total + one.amount, 0);
  const given = (state: GivenBack["status"]) =>
    sum(({ status, by_bank }) => by_bank === 0 && status === state);
  const rest = Math.max(0, price - sum(({ of_price }) => of_price === 1));
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
