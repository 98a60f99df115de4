import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { atomic, refuseIfNone } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { BatchRefused } from "#platform/database/failure.ts";
import { logFault } from "#platform/log.ts";
import { GATEWAYS, type GatewayAccount, GatewayError, type Outcome } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { type EffectsByKind, Parked } from "./effects.ts";
import type { IntentRow } from "./intents.ts";
import { gatewayAccounts, gatewayEvents, paymentIntents } from "./tables.ts";

const ATTEMPTS = 4;

/** A verified event, or what a look at the gateway found. */
export type Occurrence = {
  gateway: GatewayKind;
  account: GatewayAccount;
  eventId: string;
  payloadSha256: string;
  /** It happened just now, so what it is about may be on its way into the database. */
  isYoung: boolean;
  outcome: Outcome;
};

type Result =
  | "paid"
  | "already_paid"
  | "duplicate_payment"
  | "mismatch"
  | "failed"
  | "ignored"
  | "unknown_intent"
  | "parked";
type Step = { result: Result; intent?: IntentRow | undefined; statements?: readonly SQLWrapper[] };
/** Another event of the same payment moved the intent first. */
class Moved extends Error {}

/**
 * The one state machine of payments: paid is terminal, and each event has its effect in the batch that notes it. True for
 * an event that was noted before. Throws 503 where the gateway is to send it again.
 */
export async function settle(ctx: Ctx, effects: EffectsByKind, occurrence: Occurrence): Promise<boolean> {
  let given = occurrence;
  for (let attempt = 1; ; attempt += 1) {
    const { seen, intent } = await look(ctx, given);
    if (seen) return true;
    try {
      given = await captured(given, intent);
      const step = await decide(ctx, effects, given, intent);
      return !(await note(ctx, given, step));
    } catch (error) {
      if (error instanceof Moved && attempt < ATTEMPTS) continue;
      if (!isHopeless(error)) throw error;
      // However often it came, it would end alike: it is kept, and what it pays for waits for somebody to look.
      logFault("parked payment event", error, ctx.requestId);
      const statements =
        intent === undefined
          ? []
          : effects[intent.kind].review(ctx, withCaptured(intent, given.outcome), "parked");
      return !(await note(ctx, given, { result: "parked", intent, statements }));
    }
  }
}

/** Whether the effect was refused for what it is. A database that cannot answer now is another matter. */
function isHopeless(error: unknown): boolean {
  if (error instanceof Problem) return error.status < 500;
  return error instanceof Parked || error instanceof BatchRefused;
}

async function look(
  ctx: Ctx,
  { gateway, account, eventId, outcome }: Occurrence,
): Promise<{ seen: boolean; intent: IntentRow | undefined }> {
  const { reference, gatewayOrderId, amount, currency } = outcome;
  const ours = reference !== null && reference.company === ctx.company.slug ? reference : null;
  // Who holds the secrets of a test account settles nothing of a live one.
  const theirs = sql`${paymentIntents.gateway} = ${gateway} AND ${account.mode} = (
    SELECT ${gatewayAccounts.mode} FROM ${gatewayAccounts}
    WHERE ${gatewayAccounts.id} = ${paymentIntents.gatewayAccountId}
  )`;
  const [events, byOrder, byReference] = await ctx.database.read([
    ctx.db
      .select({ outcome: gatewayEvents.outcome })
      .from(gatewayEvents)
      .where(and(eq(gatewayEvents.gateway, gateway), eq(gatewayEvents.eventId, eventId))),
    ctx.db
      .select()
      .from(paymentIntents)
      .where(sql`${paymentIntents.gatewayOrderId} = ${gatewayOrderId} AND ${theirs}`),
    // Paid before the gateway's own id of it was kept here, or told without that id: what the gateway was given to
    // remember names it, and the money must fit.
    ctx.db
      .select()
      .from(paymentIntents)
      .where(
        sql`${paymentIntents.kind} = ${ours?.kind ?? null} AND ${paymentIntents.refId} = ${ours?.refId ?? null}
          AND ${theirs} AND (${gatewayOrderId} IS NULL OR ${paymentIntents.gatewayOrderId} IS NULL)
          AND (${amount} IS NULL OR (${paymentIntents.amount} = ${amount} AND ${paymentIntents.currency} = ${currency}))`,
      )
      .orderBy(sql`${paymentIntents.id} DESC`)
      .limit(1),
  ]);
  return { seen: events.length > 0, intent: byOrder[0] ?? byReference[0] };
}

/** Takes the money of a payment that its payer agreed to, where nothing else will. */
async function captured(occurrence: Occurrence, intent: IntentRow | undefined): Promise<Occurrence> {
  const { gateway, account, outcome } = occurrence;
  const { gatewayOrderId } = outcome;
  if (outcome.outcome !== "capture" || intent === undefined || gatewayOrderId === null) return occurrence;
  if (intent.status === "paid") return { ...occurrence, outcome: { ...outcome, outcome: "ignored" } };
  const { id, amount, currency } = intent;
  try {
    const taken = await GATEWAYS[gateway].capture(account, { id, gatewayOrderId, amount, currency }, outcome);
    return { ...occurrence, outcome: taken };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    logFault(gateway, error);
    if (error.retry) throw retryLater("unavailable", 60_000);
    return { ...occurrence, outcome: { ...outcome, outcome: "ignored" } };
  }
}

async function decide(
  ctx: Ctx,
  effects: EffectsByKind,
  { outcome, isYoung }: Occurrence,
  intent: IntentRow | undefined,
): Promise<Step> {
  const { outcome: said, gatewayPaymentId, gatewayOrderId } = outcome;
  const unpaid = said === "failed" || said === "closed";
  if (said === "ignored" || (unpaid && intent?.status !== "created")) return { result: "ignored", intent };
  if (intent === undefined) {
    if (isYoung) throw retryLater("unavailable", 60_000);
    return { result: "unknown_intent" };
  }
  // Its payer may try again, so it stays open, and the gateway is asked about it.
  if (said === "failed") return { result: "failed", intent };
  if (said === "closed") {
    return {
      result: "failed",
      intent,
      statements: [
        sql`UPDATE ${paymentIntents} SET status = 'failed' WHERE id = ${intent.id} AND status = 'created'`,
        refuseIfNone("intent_moved"),
        ...effects[intent.kind].abandoned(ctx, intent),
      ],
    };
  }
  if (said !== "paid" || gatewayPaymentId === null) return { result: "ignored", intent };
  if (intent.status === "paid") {
    if (intent.gatewayPaymentId === gatewayPaymentId) {
      const captured = isExact(outcome, intent) ? (outcome.amount ?? 0) : 0;
      const statements = effects[intent.kind].surplus?.(ctx, { ...intent, gatewayPaymentId, captured });
      return { result: "already_paid", intent, statements: statements ?? [] };
    }
    return { result: "duplicate_payment", intent, statements: effects[intent.kind].overpaid(ctx, intent) };
  }
  if (!isExact(outcome, intent)) {
    return {
      result: "mismatch",
      intent,
      statements: [
        sql`UPDATE ${paymentIntents} SET status = 'mismatch' WHERE id = ${intent.id} AND status <> 'paid'`,
        refuseIfNone("intent_moved"),
        ...effects[intent.kind].review(ctx, withCaptured(intent, outcome), "mismatch"),
      ],
    };
  }
  return {
    result: "paid",
    intent,
    statements: [
      sql`UPDATE ${paymentIntents} SET status = 'paid', gateway_payment_id = ${gatewayPaymentId}, paid_at = ${ctx.now},
          gateway_order_id = coalesce(gateway_order_id, ${gatewayOrderId})
        WHERE id = ${intent.id} AND status <> 'paid'`,
      refuseIfNone("intent_moved"),
      ...(await effects[intent.kind].paid(ctx, {
        ...withCaptured(intent, outcome),
        gatewayPaymentId,
      })),
      // The other amount that came before is owed back.
      ...(intent.status === "mismatch" ? effects[intent.kind].overpaid(ctx, intent) : []),
    ],
  };
}

function withCaptured(intent: IntentRow, { amount }: Outcome) {
  return { ...intent, captured: amount ?? intent.amount };
}

function isExact({ amount, orMore, currency }: Outcome, intent: IntentRow): boolean {
  if (amount === null || currency !== intent.currency) return false;
  return amount === intent.amount || (orMore && amount > intent.amount);
}

/** Commits an event with its effect. False when it was noted meanwhile. */
async function note(
  ctx: Ctx,
  occurrence: Occurrence,
  { result, intent, statements = [] }: Step,
): Promise<boolean> {
  const { gateway, eventId, payloadSha256, outcome } = occurrence;
  const [moved, noted] = [new Problem("conflict"), new Problem("conflict")];
  try {
    await atomic(
      ctx,
      [
        ctx.db.insert(gatewayEvents).values({
          gateway,
          eventId,
          type: outcome.type.slice(0, 100),
          payloadSha256,
          intentId: intent?.id ?? null,
          gatewayPaymentId: outcome.gatewayPaymentId,
          outcome: result,
          receivedAt: ctx.now,
        }),
        ...statements,
      ],
      sql<unknown>`SELECT json_object('id', ${intent === undefined ? eventId : String(intent.id)})`,
      { intent_moved: () => moved, "gateway_events.gateway, gateway_events.event_id": () => noted },
    );
    return true;
  } catch (error) {
    if (error === noted) return false;
    throw error === moved ? new Moved() : error;
  }
}
