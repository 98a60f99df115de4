import { and, eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { refuseIfNone } from "#core/write/atomic.ts";
import { gatewayCaptures } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";
import type { PaidIntent } from "./effects.ts";
import type { IntentRow } from "./open-intent.ts";

/** An intent, and the captures of it that are advances, oldest first, as JSON. */
export type WaitingPayment = { intent: IntentRow; advances: string };
type Advance = { payment: string; outcome: string; amount: number };

/** The query for the payments of an order or a booking, one that is paid first. */
export function selectWaiting(ctx: ReadCtx, kind: IntentRow["kind"], refId: string) {
  const { gatewayPaymentId, outcome, advanceAmount, intentId, id } = gatewayCaptures;
  return ctx.db
    .select({
      intent: paymentIntents,
      // The builder leaves out the names of tables, so the outer one is written out.
      advances: sql<string>`(SELECT json_group_array(json(advance)) FROM (
        SELECT json_object('payment', ${gatewayPaymentId}, 'outcome', ${outcome}, 'amount', ${advanceAmount}) AS advance
        FROM ${gatewayCaptures} WHERE ${intentId} = payment_intents.id AND ${advanceAmount} > 0 ORDER BY ${id}))`,
    })
    .from(paymentIntents)
    .where(and(eq(paymentIntents.kind, kind), eq(paymentIntents.refId, refId)))
    .orderBy(sql`${paymentIntents.status} = 'paid' DESC, ${paymentIntents.id} DESC`)
    .limit(1);
}

/**
 * The payment of the exact amount that waits, undefined where none does, and whether other money waits too, which is owed
 * back.
 */
export function exactMoney(
  waiting: WaitingPayment | undefined,
): { intent: PaidIntent; hasOther: boolean } | undefined {
  if (waiting === undefined) return undefined;
  const { intent } = waiting;
  const advances: Advance[] = JSON.parse(waiting.advances);
  const isExact = ({ payment, outcome, amount }: Advance) =>
    amount >= intent.amount &&
    (intent.status === "paid" ? payment === intent.gatewayPaymentId : outcome === "quarantined");
  const exact = advances.find(isExact);
  if (exact === undefined) return undefined;
  const paid = { ...intent, gatewayPaymentId: exact.payment, captured: intent.amount, isAdvance: true };
  return { intent: paid, hasOther: advances.length > 1 };
}

/** How much of a payment waits in Customer Advances, in minor units. */
export function advancesIn(waiting: WaitingPayment | undefined): number {
  const advances: Advance[] = waiting === undefined ? [] : JSON.parse(waiting.advances);
  return advances.reduce((sum, { amount }) => sum + amount, 0);
}

/** What was captured for an order or a booking, as a condition on `gateway_captures`. */
export function capturesOf(kind: IntentRow["kind"], refId: string | SQL): SQL {
  return sql`${gatewayCaptures.intentId} IN (SELECT ${paymentIntents.id} FROM ${paymentIntents}
    WHERE ${paymentIntents.kind} = ${kind} AND ${paymentIntents.refId} = ${refId})`;
}

/** Whether money of an order or a booking waits, other than of the payment that paid it, as a condition. */
export function hasOtherMoney({
  kind,
  refId,
  gateway,
  gatewayPaymentId,
}: Pick<IntentRow, "kind" | "refId" | "gateway" | "gatewayPaymentId">): SQL {
  return sql`EXISTS (SELECT 1 FROM ${gatewayCaptures} WHERE ${capturesOf(kind, refId)} AND ${gatewayCaptures.advanceAmount} > 0
    AND (${gatewayCaptures.gateway}, ${gatewayCaptures.gatewayPaymentId}) IS NOT (${gateway}, ${gatewayPaymentId}))`;
}

/**
 * The statements that make a payment paid; refused as `intent_moved` where an event came first. The gateway's order is
 * recorded where it was not known.
 */
export function payIntent(
  ctx: ReadCtx,
  { id, gatewayPaymentId, gatewayOrderId }: Pick<PaidIntent, "id" | "gatewayPaymentId" | "gatewayOrderId">,
): SQLWrapper[] {
  return [
    ctx.db
      .update(paymentIntents)
      .set({
        status: "paid",
        gatewayPaymentId,
        paidAt: ctx.now,
        gatewayOrderId: sql`coalesce(${paymentIntents.gatewayOrderId}, ${gatewayOrderId})`,
      })
      .where(and(eq(paymentIntents.id, id), ne(paymentIntents.status, "paid"))),
    refuseIfNone("intent_moved"),
  ];
}

/** Gives up the intents of an order or a booking. What was paid for them was given back elsewhere. */
export function giveUpPayments(kind: IntentRow["kind"], refId: string): SQL {
  return sql`UPDATE ${paymentIntents} SET status = 'failed'
    WHERE ${paymentIntents.kind} = ${kind} AND ${paymentIntents.refId} = ${refId}
      AND ${paymentIntents.status} IN ('created', 'mismatch')`;
}
