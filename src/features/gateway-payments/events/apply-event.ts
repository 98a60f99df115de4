import { sql } from "drizzle-orm";
import type { BackgroundCtx, ReadCtx, WriteCtx } from "#core/context.ts";
import { BatchRefused } from "#core/database/failure.ts";
import { logFault } from "#core/log.ts";
import { AnotherBatch, atomic, isOvertaken } from "#core/write/atomic.ts";
import { withEventsOf } from "#core/write/events.ts";
import { advanceTheRest, type CaptureRow, isAdvance, type Reported, storeCapture } from "#features/captures";
import { GATEWAYS, GatewayError } from "#providers/payment";
import { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { gatewayEvents } from "#tables/gateway-payments";
import { type EffectsByKind, Quarantined } from "../intents/effects.ts";
import type { IntentRow } from "../intents/open-intent.ts";
import { type Decision, decideEffect, isExact, withCaptured } from "./decide-effect.ts";
import { findIntent, isOfAnother, type PaymentEvent, reporterOf, type Sender } from "./find-intent.ts";

const ATTEMPTS = 4;

/**
 * The state machine of payments. `paid` is its last state, and each event has its effect in the batch that stores the
 * event. Returns true for an event that was stored before. Throws 503 where the gateway is to send it again.
 */
export async function applyEvent(
  ctx: WriteCtx & BackgroundCtx,
  effects: EffectsByKind,
  event: PaymentEvent,
): Promise<boolean> {
  let given = event;
  for (let attempt = 1; ; attempt += 1) {
    const { seen, hasStrays, ...found } = await findIntent(ctx, given);
    // What was reported of the money's refund before, its job applies; the event that comes again queues it again.
    if (seen && hasStrays) await ctx.enqueue([{ kind: "refunds" }]);
    if (seen) return true;
    const { capture, isOpening } = found;
    const sender = reporterOf(given, found.intent);
    // What another account opened, an event does not move.
    const intent = sender && found.intent;
    const isElsewhere = isOfAnother(given, found);
    const store = async (decision: Decision) => {
      const isNew = await record(ofKind(ctx, effects, intent), effects, given, capture, decision);
      if (hasStrays) await ctx.enqueue([{ kind: "refunds" }]);
      return isNew;
    };
    try {
      if (sender === undefined || isElsewhere)
        return !(await store(misplaced(ctx, effects, given, intent, isElsewhere)));
      given = await captured(given, sender, intent);
      const decision = await decideEffect(ctx, effects, given, intent, {
        ...{ isOpening, isKnown: capture !== undefined, isAdvance: isAdvance(capture) },
      });
      return !(await store(decision));
    } catch (error) {
      if (isOvertaken(error)) {
        if (attempt < ATTEMPTS) continue;
        throw retryLater("unavailable", MINUTE_MS);
      }
      if (!isHopeless(error)) throw error;
      // Another try would end the same way: the event is stored, and its order or booking waits for review.
      logFault("payment_event_quarantined", error);
      const statements =
        intent === undefined
          ? []
          : effects[intent.kind].review(ctx, withCaptured(intent, given.report), "quarantined");
      return !(await store({ result: "quarantined", intent, isElsewhere, statements }));
    }
  }
}

/** Whether every other try would fail too. A database that cannot answer now may answer the next one. */
function isHopeless(error: unknown): boolean {
  if (error instanceof Problem) return error.status < 500;
  return error instanceof Quarantined || error instanceof BatchRefused;
}

/**
 * What an event is stored with that names what another account opened, or a payment of another account or intent: it pays
 * for nothing. Its own unpaid intent waits for review; a payment that is not known is money of the account that reports it.
 */
function misplaced(
  ctx: ReadCtx,
  effects: EffectsByKind,
  { gateway, report }: PaymentEvent,
  intent: IntentRow | undefined,
  isElsewhere: boolean,
): Decision {
  if (report.state !== "paid") return { result: "ignored", intent };
  const what = intent === undefined ? "what another account opened" : `a payment that is not of ${intent.id}`;
  logFault("payment_event_quarantined", new Quarantined(`An event names ${what}`), gateway);
  const isOpen = intent !== undefined && intent.status !== "paid";
  return {
    result: "quarantined",
    intent,
    isElsewhere,
    statements: isOpen
      ? effects[intent.kind].review(ctx, { ...intent, captured: intent.amount }, "quarantined")
      : [],
  };
}

/** Captures a payment that its payer has agreed to, where the gateway does not capture it by itself. */
async function captured(
  event: PaymentEvent,
  { account }: Sender,
  intent: IntentRow | undefined,
): Promise<PaymentEvent> {
  const { gateway, report } = event;
  const { gatewayOrderId } = report;
  if (report.state !== "capture" || intent === undefined || gatewayOrderId === null) return event;
  if (intent.status === "paid") return { ...event, report: { ...report, state: "ignored" } };
  const { id, amount, currency } = intent;
  try {
    const taken = await GATEWAYS[gateway].capture(account, { id, gatewayOrderId, amount, currency }, report);
    return { ...event, report: taken };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    logFault("gateway", error, gateway);
    if (error.retry) throw retryLater("unavailable", MINUTE_MS);
    return { ...event, report: { ...report, state: "ignored" } };
  }
}

/** The money that an event reports; null where it reports none. */
function reported(
  event: PaymentEvent,
  intent: IntentRow | undefined,
  seen: CaptureRow | undefined,
): Reported | null {
  const { gateway, report, senders } = event;
  const { accountId } = reporterOf(event, intent) ?? senders[0];
  const { state, gatewayPaymentId, fee, method } = report;
  if (state !== "paid" || gatewayPaymentId === null) return null;
  const currency = report.currency ?? intent?.currency ?? "";
  const amount = seen === undefined || currency === seen.currency ? Math.max(report.amount ?? 0, 0) : 0;
  return { gateway, accountId, gatewayPaymentId, amount, currency, fee, method };
}

/** The context of what a payment of this kind may change. */
function ofKind(ctx: WriteCtx, effects: EffectsByKind, intent: IntentRow | undefined): WriteCtx {
  return intent === undefined ? ctx : withEventsOf(ctx, effects[intent.kind].changes);
}

/** Commits an event with its effect. Returns false when another call stored it first. */
async function record(
  ctx: WriteCtx,
  effects: EffectsByKind,
  event: PaymentEvent,
  capture: CaptureRow | undefined,
  { result, intent, statements = [], invoiced = 0, isElsewhere = false }: Decision,
): Promise<boolean> {
  const { gateway, eventId, payloadSha256, report } = event;
  const moved = () => new AnotherBatch();
  const recorded = new AnotherBatch();
  const money = reported(event, intent, capture);
  const asked = intent && { id: intent.id, customerId: effects[intent.kind].customerOf(intent) };
  const outcome = result === "already_paid" ? "paid" : result;
  const isMoney = money !== null && !isElsewhere && outcome !== "ignored" && outcome !== "failed";
  const price = intent !== undefined && outcome === "paid" && isExact(report, intent) ? intent.amount : null;
  try {
    await atomic(
      ctx,
      [
        ctx.db.insert(gatewayEvents).values({
          gateway,
          eventId,
          type: report.type.slice(0, 100),
          payloadSha256,
          intentId: intent?.id ?? null,
          gatewayPaymentId: report.gatewayPaymentId,
          outcome: result,
          ...(money !== null && outcome === "ignored"
            ? { amount: money.amount, currency: money.currency }
            : {}),
          receivedAt: ctx.now,
        }),
        ...(isMoney ? storeCapture(ctx, capture, money, outcome, asked) : []),
        ...statements,
        ...(isMoney ? advanceTheRest(ctx, capture, money, { invoiced, price }) : []),
      ],
      sql<unknown>`SELECT json_object('id', ${intent === undefined ? eventId : String(intent.id)})`,
      {
        intent_moved: moved,
        // Another event of the same payment came first.
        "gateway_captures.gateway, gateway_captures.gateway_payment_id": moved,
        "gateway_events.gateway, gateway_events.event_id": () => recorded,
      },
    );
    return true;
  } catch (error) {
    if (error === recorded) return false;
    throw error;
  }
}
