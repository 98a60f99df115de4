import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { amount, described, from } from "#core/sql/fields.ts";
import { gatewayCaptures } from "#tables/captures";
import { payments } from "#tables/payments";
import { gatewayRefunds } from "#tables/refunds";
import { invoices } from "../tables.ts";

const newer = alias(payments, "newer");

// What went back of a capture, without a credit note.
const wentBack = sql`(SELECT coalesce(sum(${gatewayRefunds.amount} - ${gatewayRefunds.advanceAmount} - ${gatewayRefunds.coveredAmount}), 0)
  FROM ${gatewayRefunds} WHERE ${gatewayRefunds.captureId} = ${gatewayCaptures.id} AND ${gatewayRefunds.source} <> 'api'
    AND ${gatewayRefunds.status} = 'succeeded' AND ${gatewayRefunds.creditNoteId} IS NULL)`;
// A capture that paid several invoices goes back of the newest payment first.
const ofNewer = sql`(SELECT coalesce(sum(${newer.amount}), 0) FROM ${payments} AS ${newer}
  WHERE ${newer.gateway} = ${payments.gateway} AND ${newer.gatewayPaymentId} = ${payments.gatewayPaymentId}
    AND ${newer.deletedAt} IS NULL AND ${newer.id} > ${payments.id})`;

/** What of an invoice's payments went back, and no credit note says so. */
export const refundedWithoutCreditNote = from(
  sql<number>`(SELECT coalesce(sum(max(0, min(${payments.amount}, ${wentBack} - ${ofNewer}))), 0)
    FROM ${payments} CROSS JOIN ${gatewayCaptures} ON ${gatewayCaptures.gateway} = ${payments.gateway}
      AND ${gatewayCaptures.gatewayPaymentId} = ${payments.gatewayPaymentId}
    WHERE ${payments.invoiceId} = ${invoices.id} AND ${payments.deletedAt} IS NULL)`,
  described(
    amount,
    "What a refund made at the gateway or a chargeback took of `amount_paid`. The customer owes it in the books until you issue a credit note for it.",
  ),
);
