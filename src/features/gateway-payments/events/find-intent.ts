import { and, eq, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { type CaptureRow, selectCapture } from "#features/captures";
import type { GatewayAccount, GatewayReport, RefundReport } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { gatewayRefundEvents } from "#tables/refunds";
import type { IntentRow } from "../intents/open-intent.ts";
import { paymentIntents } from "../intents/tables.ts";
import { gatewayEvents } from "./tables.ts";

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
  /** It happened just now, so its intent may not be stored yet. */
  isYoung: boolean;
  report: GatewayReport;
};

/** What an event is about, as it is stored. */
export type Found = {
  /** It was recorded before. */
  seen: boolean;
  intent: IntentRow | undefined;
  capture: CaptureRow | undefined;
  /** Its gateway reported a refund of it, of which no refund is known. */
  hasStrays: boolean;
};

const selectStray = keptQuery((db, { gateway, id }: Given<{ gateway: string; id: string | null }>) =>
  db
    .select({ id: gatewayRefundEvents.id })
    .from(gatewayRefundEvents)
    .where(
      sql`${gatewayRefundEvents.gateway} = ${gateway} AND ${gatewayRefundEvents.gatewayPaymentId} = ${id}
        AND ${gatewayRefundEvents.refundId} IS NULL AND ${gatewayRefundEvents.dismissedAt} IS NULL`,
    ),
);

/** The intent and the capture that an event is about, and whether the event was recorded before. */
export async function findIntent(ctx: ReadCtx, { gateway, eventId, report }: PaymentEvent): Promise<Found> {
  const { reference, gatewayOrderId, gatewayPaymentId, amount, currency } = report;
  const ours = reference !== null && reference.company === ctx.company.slug ? reference : null;
  const ofGateway = sql`${paymentIntents.gateway} = ${gateway}`;
  const [events, byOrder, byReference, captures, strays] = await ctx.database.read([
    ctx.db
      .select({ outcome: gatewayEvents.outcome })
      .from(gatewayEvents)
      .where(and(eq(gatewayEvents.gateway, gateway), eq(gatewayEvents.eventId, eventId))),
    ctx.db
      .select()
      .from(paymentIntents)
      .where(sql`${paymentIntents.gatewayOrderId} = ${gatewayOrderId} AND ${ofGateway}`),
    // Where the gateway's id of the payment is not stored yet, or not in the event, the reference that the gateway was
    // given names the intent, and the amount must fit.
    ctx.db
      .select()
      .from(paymentIntents)
      .where(
        sql`${paymentIntents.operation} = ${ours?.reference ?? null} AND ${paymentIntents.kind} = ${ours?.kind ?? null}
          AND ${ofGateway} AND (${gatewayOrderId} IS NULL OR ${paymentIntents.gatewayOrderId} IS NULL)
          AND (${amount} IS NULL OR (${paymentIntents.amount} = ${amount} AND ${paymentIntents.currency} = ${currency}))`,
      ),
    selectCapture({ gateway, id: gatewayPaymentId }),
    selectStray({ gateway, id: gatewayPaymentId }),
  ]);
  return {
    seen: events.length > 0,
    intent: byOrder[0] ?? byReference[0],
    capture: captures[0],
    hasStrays: strays.length > 0,
  };
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
