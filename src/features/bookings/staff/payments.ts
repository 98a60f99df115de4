import { sql } from "drizzle-orm";
import { type JsonRow, jsonObject } from "#platform/json.ts";
import { timestampToWire } from "#shared/dates.ts";
import { moneyToWire } from "#shared/numbers.ts";
import { gatewayEvents, paymentIntents } from "#tables/gateway-payments";
import { bookings } from "../tables.ts";

// What else came for it: a second payment, or one of another amount.
const others = sql<string[]>`json((SELECT json_group_array(gateway_payment_id) FROM (
  SELECT DISTINCT ${gatewayEvents.gatewayPaymentId} FROM ${gatewayEvents}
  WHERE ${gatewayEvents.intentId} = ${paymentIntents.id} AND ${gatewayEvents.gatewayPaymentId} IS NOT NULL
    AND ${gatewayEvents.outcome} IN ('duplicate_payment', 'mismatch')
  ORDER BY ${gatewayEvents.gatewayPaymentId})))`;
const shape = {
  gateway: paymentIntents.gateway,
  status: paymentIntents.status,
  amount: paymentIntents.amount,
  currency: paymentIntents.currency,
  gateway_order_id: paymentIntents.gatewayOrderId,
  gateway_payment_id: paymentIntents.gatewayPaymentId,
  other_payment_ids: others,
  created_at: paymentIntents.createdAt,
  paid_at: paymentIntents.paidAt,
};
type GatewayPayment = JsonRow<typeof shape>;

/** The payments that were started at gateways for a booking, oldest first, as JSON. */
export const paymentsJson = sql<GatewayPayment[]>`json((SELECT json_group_array(json(payment)) FROM (
  SELECT ${jsonObject(shape)} AS payment FROM ${paymentIntents}
  WHERE ${paymentIntents.kind} = 'booking' AND ${paymentIntents.refId} = ${bookings.id} ORDER BY ${paymentIntents.id})))`;

export function renderGatewayPayment(row: GatewayPayment) {
  return {
    ...row,
    amount: moneyToWire(row.amount),
    created_at: timestampToWire(row.created_at),
    paid_at: row.paid_at === null ? null : timestampToWire(row.paid_at),
  };
}
