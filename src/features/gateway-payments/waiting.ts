import { and, eq, type SQL, sql } from "drizzle-orm";
import { refuseIfNone } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import type { PaidIntent } from "./effects.ts";
import type { IntentRow } from "./intents.ts";
import { gatewayEvents, paymentIntents } from "./tables.ts";

/** A payment with the exact money that came for it and had no effect: its payment's id, and whether more came than one. */
export type WaitingPayment = { intent: IntentRow; parkedId: string | null; parkedAll: number };

const parked = sql`${gatewayEvents.intentId} = ${paymentIntents.id} AND ${gatewayEvents.outcome} = 'parked'
  AND ${gatewayEvents.gatewayPaymentId} IS NOT NULL`;

/** The query for the payments of an order or a booking, one that is paid first. */
export function selectWaiting(ctx: Ctx, kind: IntentRow["kind"], refId: string) {
  return ctx.db
    .select({
      intent: paymentIntents,
      parkedId: sql<
        string | null
      >`(SELECT ${gatewayEvents.gatewayPaymentId} FROM ${gatewayEvents} WHERE ${parked}
        ORDER BY ${gatewayEvents.receivedAt}, ${gatewayEvents.gatewayPaymentId} LIMIT 1)`,
      parkedAll: sql<number>`(SELECT count(DISTINCT ${gatewayEvents.gatewayPaymentId}) FROM ${gatewayEvents} WHERE ${parked})`,
    })
    .from(paymentIntents)
    .where(and(eq(paymentIntents.kind, kind), eq(paymentIntents.refId, refId)))
    .orderBy(sql`${paymentIntents.status} = 'paid' DESC, ${paymentIntents.id} DESC`)
    .limit(1);
}

/** The query for whether a payment has come before and had no effect. */
export function selectParked(ctx: Ctx, { id, gatewayPaymentId }: PaidIntent) {
  return ctx.db
    .select({ outcome: gatewayEvents.outcome })
    .from(gatewayEvents)
    .where(
      and(
        eq(gatewayEvents.intentId, id),
        eq(gatewayEvents.gatewayPaymentId, gatewayPaymentId),
        eq(gatewayEvents.outcome, "parked"),
      ),
    )
    .limit(1);
}

/** The exact money that is there; only the exact one is ever parked. Undefined where none came. */
export function exactMoney(waiting: WaitingPayment | undefined): PaidIntent | undefined {
  if (waiting === undefined) return undefined;
  const { intent, parkedId } = waiting;
  const gatewayPaymentId = intent.status === "paid" ? intent.gatewayPaymentId : parkedId;
  return gatewayPaymentId === null ? undefined : { ...intent, gatewayPaymentId, captured: intent.amount };
}

/** Whether beside the exact money other money came that is owed back and that nothing else notes. */
export function hasOtherMoney({ intent, parkedAll }: WaitingPayment): boolean {
  return intent.status === "mismatch" || (intent.status !== "paid" && parkedAll > 1);
}

/** The statements that make a payment paid; refused as `intent_moved` where an event came first. */
export function payIntent(ctx: Ctx, { id, gatewayPaymentId }: PaidIntent): SQL[] {
  return [
    sql`UPDATE ${paymentIntents} SET status = 'paid', gateway_payment_id = ${gatewayPaymentId}, paid_at = ${ctx.now}
      WHERE id = ${id} AND status <> 'paid'`,
    refuseIfNone("intent_moved"),
  ];
}

/** Stops looking for the money of an order or a booking, and owes none of what came: it was given back elsewhere. */
export function giveUpPayments(kind: IntentRow["kind"], refId: string): SQL {
  return sql`UPDATE ${paymentIntents} SET status = 'failed'
    WHERE kind = ${kind} AND ref_id = ${refId} AND status IN ('created', 'mismatch')`;
}
