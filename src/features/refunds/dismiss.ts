import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { WriteCtx } from "#core/context.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { cleanText } from "#shared/fields/text.ts";
import { invoices } from "#tables/invoices";
import { gatewayRefunds } from "#tables/refunds";
import { needsReview, type RefundRow, refund } from "./record.ts";

/** Ends a review of what a gateway reported. */
export const Dismiss = z.object({
  note: cleanText({ min: 1, max: 500 }).meta({
    description: "What the review found. It is kept in the audit log.",
  }),
});
export type Dismiss = z.infer<typeof Dismiss>;

/** Ends the review of a refund that no credit note can cover any more, because its invoices are credited in full. */
export function dismissRefundReview(
  ctx: WriteCtx,
  { id }: RecordParams,
  { note }: Dismiss,
): Promise<RefundRow> {
  const here = eq(gatewayRefunds.id, id);
  const itsInvoices = sql`${invoices} JOIN uncovered_refunds_of_invoices AS refund ON refund.invoice_id = ${invoices.id}
    WHERE refund.id = ${id}`;
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${gatewayRefunds} WHERE ${here})`, "not_found"),
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${itsInvoices})`, "invalid_status"),
      refuseWhen(
        sql`EXISTS (SELECT 1 FROM ${itsInvoices} AND ${invoices.taxableCredited} < ${invoices.taxableTotal})`,
        "credit_note_required",
      ),
      ctx.db.update(gatewayRefunds).set({ reviewedAt: ctx.now }).where(sql`${here} AND ${needsReview}`),
      refuseIfNone("invalid_status"),
    ],
    refund.select(here),
    {},
    note,
  );
}
