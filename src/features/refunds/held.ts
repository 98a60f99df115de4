import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#core/context.ts";
import type { RefundStatus } from "#shared/payments/refunds.ts";
import { gatewayCaptures } from "#tables/captures";
import { creditNotes } from "#tables/credit-notes";
import { gatewayAccounts, paymentIntents } from "#tables/gateway-payments";
import { payments } from "#tables/payments";
import { gatewayRefunds } from "#tables/refunds";

const other = alias(gatewayRefunds, "other");

/** A refund of a capture, with what of it its credit note bears, and the invoice of that. */
export type Known = {
  id: string | null;
  key: string;
  status: RefundStatus;
  amount: number;
  credited: number;
  invoiceId: number | null;
};

const known = sql<string>`(SELECT json_group_array(json_object('id', ${other.gatewayRefundId}, 'key', ${other.key},
  'status', ${other.status}, 'amount', ${other.amount},
  'credited', ${other.amount} - ${other.advanceAmount} - ${other.coveredAmount}, 'invoiceId', (SELECT ${creditNotes.invoiceId} FROM ${creditNotes}
    WHERE ${creditNotes.id} = ${other.creditNoteId})))
  FROM ${gatewayRefunds} AS ${other} WHERE ${other.captureId} = ${gatewayCaptures.id})`;
/** A capture, the account that took it, and its refunds as JSON. */
const held = {
  capture: gatewayCaptures,
  gatewayOrderId: paymentIntents.gatewayOrderId,
  account: gatewayAccounts,
  known,
};
const ofCapture = eq(paymentIntents.id, gatewayCaptures.intentId);
// Of a payment that nothing asked for: the account that reported it.
const tookIt = sql`${gatewayAccounts.id} = coalesce(${paymentIntents.gatewayAccountId}, ${gatewayCaptures.gatewayAccountId})`;

/**
 * The query for captures, and for those that an invoice was paid with and their siblings, oldest first, with what of the
 * invoice's money each has: what was paid with it, less what others stand for, and more for what it stands for.
 */
export function selectHeld(ctx: ReadCtx, which: SQL, invoiceId: SQL<number | null>) {
  const { gateway, gatewayPaymentId, deletedAt, amount } = payments;
  const ofInvoice = sql`${payments.invoiceId} = ${invoiceId} AND ${deletedAt} IS NULL`;
  return ctx.db
    .select({
      ...held,
      invoiceId,
      isAsked: sql<number>`${which}`,
      paid: sql<number>`gateway_captures.lent_amount + (SELECT coalesce(sum(${amount}), 0) FROM ${payments} WHERE ${ofInvoice}
        AND ${gateway} = ${gatewayCaptures.gateway} AND ${gatewayPaymentId} = ${gatewayCaptures.gatewayPaymentId})`,
    })
    .from(gatewayCaptures)
    .leftJoin(paymentIntents, ofCapture)
    .innerJoin(gatewayAccounts, tookIt)
    .where(
      sql`${which} OR ${gatewayCaptures.id} IN (SELECT sibling.id FROM ${payments} JOIN ${gatewayCaptures}
        ON ${gatewayCaptures.gateway} = ${gateway} AND ${gatewayCaptures.gatewayPaymentId} = ${gatewayPaymentId}
        JOIN capture_siblings AS sibling ON of_capture_id = ${gatewayCaptures.id} WHERE ${ofInvoice})`,
    )
    .orderBy(gatewayCaptures.id);
}
export type Held = Awaited<ReturnType<typeof selectHeld>>[number];

/** The query for the other captures of what a capture paid for. */
export function selectBeside(ctx: ReadCtx, captureId: number) {
  return ctx.db
    .select(held)
    .from(gatewayCaptures)
    .leftJoin(paymentIntents, ofCapture)
    .innerJoin(gatewayAccounts, tookIt)
    .where(
      sql`${gatewayCaptures.id} IN (SELECT id FROM capture_siblings WHERE of_capture_id = ${captureId} AND id <> ${captureId})`,
    );
}

/** The query for refunds, each with its capture. */
export function selectPursued(ctx: ReadCtx, where: SQL, most: number) {
  return ctx.db
    .select({ ...held, refund: gatewayRefunds })
    .from(gatewayRefunds)
    .innerJoin(gatewayCaptures, eq(gatewayCaptures.id, gatewayRefunds.captureId))
    .leftJoin(paymentIntents, ofCapture)
    .innerJoin(gatewayAccounts, tookIt)
    .where(where)
    .orderBy(gatewayRefunds.nextLookAt)
    .limit(most);
}
/** A refund as it is stored, and where its money is. */
export type Pursued = Place & { refund: StoredRefund };
/** A capture, with what finds its refunds at its gateway. */
export type Place = Pick<Held, "capture" | "gatewayOrderId" | "account" | "known">;
export type StoredRefund = Omit<typeof gatewayRefunds.$inferSelect, "id" | "coveredAmount">;

/** The refunds of a capture. */
export function knownOf({ known }: Pick<Held, "known">): Known[] {
  return JSON.parse(known);
}
