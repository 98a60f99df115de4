import { type SQL, sql } from "drizzle-orm";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { gatewayEvents, paymentIntents } from "#tables/gateway-payments";
import type { IntentRow } from "./open-intent.ts";

// Other payments that came for it: a second one, one of another amount, or one whose effect was refused.
const others = sql<string[]>`json((SELECT json_group_array(id) FROM (
  SELECT DISTINCT ${gatewayEvents.gatewayPaymentId} AS id FROM ${gatewayEvents}
  WHERE ${gatewayEvents.intentId} = ${paymentIntents.id}
    AND ${gatewayEvents.gatewayPaymentId} IS NOT coalesce(${paymentIntents.gatewayPaymentId}, '')
    AND ${gatewayEvents.gatewayPaymentId} IS NOT NULL
    AND ${gatewayEvents.outcome} IN ('duplicate_payment', 'mismatch', 'quarantined')
  ORDER BY ${gatewayEvents.gatewayPaymentId})))`;
const shape = {
  ...columnsNamed(paymentIntents, "gateway", "status", "amount", "currency", "gateway_order_id"),
  ...columnsNamed(paymentIntents, "gateway_payment_id", "created_at", "paid_at"),
  other_payment_ids: others,
};
export type StartedPayment = JsonRow<typeof shape>;

/** The payments that were started at gateways for an order or a booking, oldest first, as JSON; it binds no value. */
export function startedPayments(kind: IntentRow["kind"], refId: SQL<string>): SQL<StartedPayment[]> {
  return sql`json((SELECT json_group_array(json(payment)) FROM (
    SELECT ${jsonObject(shape)} AS payment FROM ${paymentIntents}
    WHERE ${paymentIntents.kind} = ${sql.raw(`'${kind}'`)} AND ${paymentIntents.refId} = ${refId}
    ORDER BY ${paymentIntents.id})))`;
}

/** What came for an order or a booking that was not asked for: a second payment, or one of another amount; it binds no value. */
export function unexpectedMoney(
  kind: IntentRow["kind"],
  refId: SQL<string>,
): SQL<"twice" | "other_amount" | null> {
  const own = sql`${paymentIntents.kind} = ${sql.raw(`'${kind}'`)} AND ${paymentIntents.refId} = ${refId}`;
  const paymentId = sql`coalesce(${gatewayEvents.gatewayPaymentId}, ${paymentIntents.gatewayPaymentId})`;
  return sql`CASE WHEN (SELECT count(DISTINCT ${paymentId}) > 1
      FROM ${paymentIntents} LEFT JOIN ${gatewayEvents} ON ${gatewayEvents.intentId} = ${paymentIntents.id}
        AND ${gatewayEvents.outcome} IN ('paid', 'already_paid', 'duplicate_payment')
      WHERE ${own} AND ${paymentIntents.status} = 'paid') THEN 'twice'
    WHEN EXISTS (SELECT 1 FROM ${paymentIntents} WHERE ${own} AND ${paymentIntents.status} = 'mismatch') THEN 'other_amount' END`;
}

export function renderStartedPayment(row: StartedPayment) {
  return {
    ...row,
    amount: moneyToWire(row.amount),
    created_at: timestampToWire(row.created_at),
    paid_at: timestampOrNull(row.paid_at),
  };
}
