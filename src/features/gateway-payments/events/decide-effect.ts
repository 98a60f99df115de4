import { and, eq, ne, type SQLWrapper } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { refuseIfNone } from "#core/write/atomic.ts";
import type { GatewayReport } from "#providers/payment";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { paymentIntents } from "#tables/gateway-payments";
import type { EffectsByKind } from "../intents/effects.ts";
import { failIntent, type IntentRow } from "../intents/open-intent.ts";
import { payIntent } from "../intents/waiting-money.ts";
import type { PaymentEvent } from "./find-intent.ts";

type Result =
  | "paid"
  | "already_paid"
  | "duplicate_payment"
  | "mismatch"
  | "failed"
  | "ignored"
  | "unknown_intent"
  | "quarantined";
/** What an event is stored with, and the statements of its effect. */
export type Decision = {
  result: Result;
  intent?: IntentRow | undefined;
  statements?: readonly SQLWrapper[];
  /** How much of what came the statements invoice, in minor units. */
  invoiced?: number;
  /** The payment is one of another account or intent, so nothing is stored of its money. */
  isElsewhere?: boolean;
};

/**
 * What an event does to its intent, by the status that the intent was read in. Throws 503 where it is to come again.
 * `isAdvance`: its money waits in Customer Advances; `isKnown`: its payment has a capture.
 */
export async function decideEffect(
  ctx: ReadCtx,
  effects: EffectsByKind,
  { report, isYoung }: PaymentEvent,
  intent: IntentRow | undefined,
  { isOpening, isKnown, isAdvance }: Record<"isOpening" | "isKnown" | "isAdvance", boolean>,
): Promise<Decision> {
  const { state: said, gatewayPaymentId, gatewayOrderId } = report;
  const unpaid = said === "failed" || said === "closed";
  if (said === "ignored" || (unpaid && intent?.status !== "created")) return { result: "ignored", intent };
  if (intent === undefined) {
    if (isYoung && isOpening) throw retryLater("unavailable", MINUTE_MS);
    // No record of the company knows it: another shop may have the same account, so its money is listed, not booked.
    return { result: isKnown ? "unknown_intent" : "ignored" };
  }
  // The payer may try again: the intent stays open, and the gateway is asked about it later.
  if (said === "failed") return { result: "failed", intent };
  if (said === "closed") {
    return {
      result: "failed",
      intent,
      statements: [
        failIntent(ctx, intent.id),
        refuseIfNone("intent_moved"),
        ...effects[intent.kind].abandoned(ctx, intent),
      ],
    };
  }
  if (said !== "paid" || gatewayPaymentId === null) return { result: "ignored", intent };
  if (intent.status === "paid") {
    if (intent.gatewayPaymentId === gatewayPaymentId) {
      const captured = isExact(report, intent) ? (report.amount ?? 0) : 0;
      const statements = effects[intent.kind].surplus?.(ctx, {
        ...intent,
        gatewayPaymentId,
        captured,
        isAdvance,
      });
      return { result: "already_paid", intent, statements: statements ?? [] };
    }
    return { result: "duplicate_payment", intent, statements: effects[intent.kind].overpaid(ctx, intent) };
  }
  if (!isExact(report, intent)) {
    return {
      result: "mismatch",
      intent,
      statements: [
        ctx.db
          .update(paymentIntents)
          .set({ status: "mismatch" })
          .where(and(eq(paymentIntents.id, intent.id), ne(paymentIntents.status, "paid"))),
        refuseIfNone("intent_moved"),
        ...effects[intent.kind].review(ctx, withCaptured(intent, report), "mismatch"),
      ],
    };
  }
  const paid = { ...withCaptured(intent, report), gatewayPaymentId, isAdvance };
  const { statements, invoiced } = await effects[intent.kind].paid(ctx, paid);
  return {
    result: "paid",
    intent,
    invoiced,
    statements: [
      ...payIntent(ctx, { id: intent.id, gatewayPaymentId, gatewayOrderId }),
      ...statements,
      // The wrong amount that came before is owed back.
      ...(intent.status === "mismatch" ? effects[intent.kind].overpaid(ctx, paid) : []),
    ],
  };
}

/** An intent with the money that came; what was asked for where the gateway does not say. */
export function withCaptured(intent: IntentRow, { amount }: GatewayReport) {
  return { ...intent, captured: amount ?? intent.amount };
}

/** Whether what came is what was asked for, or that and a fee. */
export function isExact({ amount, orMore, currency }: GatewayReport, intent: IntentRow): boolean {
  if (amount === null || currency !== intent.currency) return false;
  return amount === intent.amount || (orMore && amount > intent.amount);
}
