import { and, eq, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { type CaptureRow, selectCapture } from "#features/captures";
import type { GatewayAccount, GatewayReport, RefundReport } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { gatewayEvents, paymentIntents } from "#tables/gateway-payments";
import { gatewayRefundEvents } from "#tables/refunds";
import type { IntentRow } from "../intents/open-intent.ts";

/** An account of the company, as one that signs an event or answers a question. */
export type Sender = { account: GatewayAccount; accountId: number };

type Said = {
  gateway: GatewayKind;
  eventId: string;
  payloadSha256: string;
};

/** A verified event of a refund, or the answer of a gateway that was asked about one. */
export type RefundEvent = Said & {
  /** Of the account that said it, or of all that have the same secret. */
  accountIds: readonly [number, ...number[]];
  report: RefundReport;
};

/** A verified event, or the answer of a gateway that was asked about a payment. */
export type PaymentEvent = Said & {
  /** One, but where several accounts have the same secret. */
  senders: readonly [Sender, ...Sender[]];
  /** It happened just now, so its intent, or the gateway's id of it, may not be stored yet. */
  isYoung: boolean;
  report: GatewayReport;
};

/** What an event is about, as it is stored. */
export type Found = {
  /** It was recorded before. */
  seen: boolean;
  intent: IntentRow | undefined;
  /** It names a payment of the company whose gateway's id is not stored yet: it may be being opened. */
  isOpening: boolean;
  capture: CaptureRow | undefined;
  /** Its gateway reported a refund of it, of which no refund is known. */
  hasStrays: boolean;
};

// The minute in which an event is young, and the time of a gateway that is asked two things, each twice for 8 s.
const OPENING_MS = MINUTE_MS + 4 * 8_000;

const selectStray = keptQuery((db, { gateway, id }: Given<{ gateway: string; id: string | null }>) =>
  db
    .select({ id: gatewayRefundEvents.id })
    .from(gatewayRefundEvents)
    .where(
      sql`${gatewayRefundEvents.gateway} = ${gateway} AND ${gatewayRefundEvents.gatewayPaymentId} = ${id}
        AND ${gatewayRefundEvents.refundId} IS NULL AND ${gatewayRefundEvents.dismissedAt} IS NULL`,
    ),
);

/**
 * The intent and the capture that an event is about, and whether the event was recorded before. The gateway's id that is
 * stored says whose payment it is. What the gateway was given to recognise one by finds an intent only while the intent is
 * being opened, for several companies may share an account.
 */
export async function findIntent(
  ctx: ReadCtx,
  { gateway, eventId, report, senders }: PaymentEvent,
): Promise<Found> {
  const { reference, gatewayOrderId, gatewayPaymentId, amount, currency } = report;
  const ours = reference !== null && reference.company === ctx.company.slug ? reference : null;
  const ofGateway = sql`${paymentIntents.gateway} = ${gateway}`;
  const [events, byOrder, [named], captures, strays] = await ctx.database.read([
    ctx.db
      .select({ outcome: gatewayEvents.outcome })
      .from(gatewayEvents)
      .where(and(eq(gatewayEvents.gateway, gateway), eq(gatewayEvents.eventId, eventId))),
    ctx.db
      .select()
      .from(paymentIntents)
      .where(sql`${paymentIntents.gatewayOrderId} = ${gatewayOrderId} AND ${ofGateway}`),
    ctx.db
      .select()
      .from(paymentIntents)
      .where(
        sql`${paymentIntents.operation} = ${ours?.reference ?? null} AND ${paymentIntents.kind} = ${ours?.kind ?? null}
          AND ${ofGateway}`,
      ),
    selectCapture({ gateway, id: gatewayPaymentId }),
    selectStray({ gateway, id: gatewayPaymentId }),
  ]);
  const isOpening = ours !== null && (named === undefined || isBeingOpened(named, senders, ctx.now));
  const fits = amount === null || (named?.amount === amount && named.currency === currency);
  return {
    seen: events.length > 0,
    intent: byOrder[0] ?? (isOpening && fits ? named : undefined),
    isOpening,
    capture: captures[0],
    hasStrays: strays.length > 0,
  };
}

function isBeingOpened(
  { gatewayOrderId, gatewayAccountId, status, createdAt }: IntentRow,
  senders: PaymentEvent["senders"],
  now: number,
): boolean {
  if (gatewayOrderId !== null || status !== "created" || now - createdAt > OPENING_MS) return false;
  return senders.some(({ accountId }) => accountId === gatewayAccountId);
}

/** Who reports of an intent, or of none that is known; undefined where another account opened it. */
export function reporterOf({ senders }: PaymentEvent, intent: IntentRow | undefined): Sender | undefined {
  if (intent === undefined) return senders[0];
  return senders.find(({ accountId }) => accountId === intent.gatewayAccountId);
}

/** Whether the payment that an event names is one of another account, or of another intent. */
export function isOfAnother(
  event: PaymentEvent,
  { intent, capture }: Pick<Found, "intent" | "capture">,
): boolean {
  if (capture === undefined) return false;
  if (intent !== undefined && reporterOf(event, intent) !== undefined)
    return capture.intentId !== null && capture.intentId !== intent.id;
  return !event.senders.some(({ accountId }) => accountId === capture.gatewayAccountId);
}
