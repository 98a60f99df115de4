import { and, eq, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { refuseIfNone } from "#core/write/atomic.ts";
import { gatewayEvents } from "../events/tables.ts";
import type { PaidIntent } from "./effects.ts";
import type { IntentRow } from "./open-intent.ts";
import { paymentIntents } from "./tables.ts";

/** An intent, and the payments of the exact amount that came for it without an effect, oldest first, as JSON. */
export type WaitingPayment = { intent: IntentRow; quarantined: string };
type QuarantinedPayment = { id: string; at: number };

/** The query for the payments of an order or a booking, one that is paid first. */
export function selectWaiting(ctx: ReadCtx, kind: IntentRow["kind"], refId: string) {
  return ctx.db
    .select({
      intent: paymentIntents,
      quarantined: sql<string>`(SELECT json_group_array(json_object('id', payment, 'at', first)) FROM (
        SELECT ${gatewayEvents.gatewayPaymentId} AS payment, min(${gatewayEvents.receivedAt}) AS first FROM ${gatewayEvents}
        WHERE ${gatewayEvents.intentId} = ${paymentIntents.id} AND ${gatewayEvents.outcome} = 'quarantined'
          AND ${gatewayEvents.gatewayPaymentId} IS NOT NULL
        GROUP BY payment ORDER BY first, payment))`,
    })
    .from(paymentIntents)
    .where(and(eq(paymentIntents.kind, kind), eq(paymentIntents.refId, refId)))
    .orderBy(sql`${paymentIntents.status} = 'paid' DESC, ${paymentIntents.id} DESC`)
    .limit(1);
}

/**
 * The payment of the exact amount, undefined where none came, and whether other money came that is owed back and is recorded
 * nowhere else. Quarantined payments are always exact. Those that came before `since` (epoch ms) were given back.
 */
export function exactMoney(
  waiting: WaitingPayment | undefined,
  since: number,
): { intent: PaidIntent; hasOther: boolean } | undefined {
  if (waiting === undefined) return undefined;
  const { intent } = waiting;
  const all: QuarantinedPayment[] = JSON.parse(waiting.quarantined);
  const kept = all.filter(({ at }) => at > since);
  const isPaid = intent.status === "paid";
  const gatewayPaymentId = isPaid ? intent.gatewayPaymentId : (kept[0] ?? all.at(-1))?.id;
  if (gatewayPaymentId == null) return undefined;
  const hasOther = intent.status === "mismatch" || (!isPaid && kept.length > 1);
  return { intent: { ...intent, gatewayPaymentId, captured: intent.amount }, hasOther };
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
