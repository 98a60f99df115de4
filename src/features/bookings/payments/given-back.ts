import { sql } from "drizzle-orm";
import { gatewayCaptures } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";
import { gatewayRefunds } from "#tables/refunds";
import { bookings } from "../bookings/tables.ts";

/** Money of a booking that its gateway gives back, in minor units; `at` is null while it is on its way. */
type GivenBack = { amount: number; at: number | null };

const { id, amount, status, source, currency, captureId, settledAt } = gatewayRefunds;

/** The refunds of a booking's payments that have not failed, oldest first. What a payer's bank took back is none. It binds no value. */
export const givenBack = sql<
  GivenBack[]
>`json((SELECT json_group_array(json_object('amount', amount, 'at', at)) FROM (
  SELECT ${amount} AS amount, iif(${status} = 'succeeded', ${settledAt}, NULL) AS at FROM ${paymentIntents}
    JOIN ${gatewayCaptures} ON ${gatewayCaptures.intentId} = ${paymentIntents.id}
    JOIN ${gatewayRefunds} ON ${captureId} = ${gatewayCaptures.id}
  WHERE ${paymentIntents.kind} = 'booking' AND ${paymentIntents.refId} = ${bookings.id}
    AND ${status} <> 'failed' AND ${source} <> 'chargeback' AND ${currency} = ${bookings.currency}
  ORDER BY ${settledAt}, ${id})))`;

/** How much of a booking's money goes back through its gateway, how much of that is on its way, and what of its price is left. */
export function moneyBackOf({
  given_back: refunds,
  amount: price,
}: {
  given_back: readonly GivenBack[];
  amount: number;
}) {
  const sum = (some: readonly GivenBack[]) => some.reduce((total, one) => total + one.amount, 0);
  const all = sum(refunds);
  return { all, onItsWay: sum(refunds.filter(({ at }) => at === null)), rest: all < price ? price - all : 0 };
}
