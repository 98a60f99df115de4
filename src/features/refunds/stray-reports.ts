import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { WriteCtx } from "#core/context.ts";
import { amount, described, idText, instant, nullable } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { gatewayRefundEvents as reports } from "#tables/refunds";
import type { Dismiss } from "./dismiss.ts";

/** A gateway's report of a refund that fits no payment, not its amount or currency, or not what is left of it. */
export const strayReport = record(
  reports,
  {
    id: idText,
    gateway: z.enum(GATEWAY_KINDS),
    type: z.string().meta({ description: "The gateway's own word for the event." }),
    gateway_refund_id: z.string(),
    gateway_payment_id: z.string().nullable(),
    amount,
    currency: z.string(),
    state: z.enum(reports.state.enumValues),
    received_at: instant,
    dismissed_at: described(nullable(instant), "When staff ended its review."),
  },
  "RefundReport",
);
export type StrayReportRow = RowOf<typeof strayReport>;

/** Whether a report waits for a review. */
export const waits = and(isNull(reports.refundId), isNull(reports.dismissedAt));

/** Ends the review of a report, and of what its gateway reported of the same refund before. */
export function dismissReport(
  ctx: WriteCtx,
  { id }: RecordParams,
  { note }: Dismiss,
): Promise<StrayReportRow> {
  const isStray = sql`${reports.id} = ${id} AND ${reports.refundId} IS NULL`;
  const sameRefund = sql`(${reports.gateway}, ${reports.gatewayRefundId}) = (
    SELECT ${reports.gateway}, ${reports.gatewayRefundId} FROM ${reports} WHERE ${isStray} AND ${reports.dismissedAt} IS NULL)`;
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${reports} WHERE ${isStray})`, "not_found"),
      ctx.db
        .update(reports)
        .set({ dismissedAt: ctx.now })
        .where(sql`${reports.refundId} IS NULL AND ${reports.dismissedAt} IS NULL AND ${sameRefund}`),
      refuseIfNone("invalid_status"),
    ],
    strayReport.select(eq(reports.id, id)),
    {},
    note,
  );
}
