import { and, eq, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type CaptureRow, selectCapture } from "#features/captures";
import type { GatewayAccount, GatewayReport, RefundReport } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { gatewayAccounts } from "../gateways/tables.ts";
import type { IntentRow } from "../intents/open-intent.ts";
import { paymentIntents } from "../intents/tables.ts";
import { gatewayEvents } from "./tables.ts";

type SaidBy = {
  gateway: GatewayKind;
  account: GatewayAccount;
  accountId: number;
  eventId: string;
  payloadSha256: string;
};

/** A verified event of a refund, or the answer of a gateway that was asked about one. */
export type RefundEvent = SaidBy & { report: RefundReport };

/** A verified event, or the answer of a gateway that was asked about a payment. */
export type PaymentEvent = SaidBy & {
  /** It happened just now, so its intent may not be stored yet. */
  isYoung: boolean;
  report: GatewayReport;
};

/** The intent and the capture that an event is about, and whether the event was recorded before. */
export async function findIntent(
  ctx: ReadCtx,
  { gateway, account, eventId, report }: PaymentEvent,
): Promise<{ seen: boolean; intent: IntentRow | undefined; capture: CaptureRow | undefined }> {
  const { reference, gatewayOrderId, gatewayPaymentId, amount, currency } = report;
  const ours = reference !== null && reference.company === ctx.company.slug ? reference : null;
  // An event of a test account must not pay for an intent of a live one.
  const theirs = sql`${paymentIntents.gateway} = ${gateway} AND ${account.mode} = (
    SELECT ${gatewayAccounts.mode} FROM ${gatewayAccounts}
    WHERE ${gatewayAccounts.id} = ${paymentIntents.gatewayAccountId}
  )`;
  const [events, byOrder, byReference, captures] = await ctx.database.read([
    ctx.db
      .select({ outcome: gatewayEvents.outcome })
      .from(gatewayEvents)
      .where(and(eq(gatewayEvents.gateway, gateway), eq(gatewayEvents.eventId, eventId))),
    ctx.db
      .select()
      .from(paymentIntents)
      .where(sql`${paymentIntents.gatewayOrderId} = ${gatewayOrderId} AND ${theirs}`),
    // Where the gateway's id of the payment is not stored yet, or not in the event, the reference that the gateway was
    // given names the intent, and the amount must fit.
    ctx.db
      .select()
      .from(paymentIntents)
      .where(
        sql`${paymentIntents.operation} = ${ours?.reference ?? null} AND ${paymentIntents.kind} = ${ours?.kind ?? null}
          AND ${theirs} AND (${gatewayOrderId} IS NULL OR ${paymentIntents.gatewayOrderId} IS NULL)
          AND (${amount} IS NULL OR (${paymentIntents.amount} = ${amount} AND ${paymentIntents.currency} = ${currency}))`,
      ),
    selectCapture({ gateway, id: gatewayPaymentId }),
  ]);
  return { seen: events.length > 0, intent: byOrder[0] ?? byReference[0], capture: captures[0] };
}
