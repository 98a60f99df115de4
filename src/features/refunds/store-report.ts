import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import type { RefundEvent } from "#features/gateway-payments";
import { gatewayRefundEvents } from "#tables/refunds";

const MOST_TYPE = 100;
const MOST_CODE = 200;

/** The statement that stores a report with the refund that it is of, if one is known. */
export function storeReport(
  ctx: CallCtx,
  { gateway, eventId, payloadSha256, accountIds, report }: RefundEvent,
  refundId: SQL | null,
) {
  return ctx.db.insert(gatewayRefundEvents).values({
    gateway,
    eventId,
    payloadSha256,
    refundId: refundId ?? null,
    ...report,
    type: report.type.slice(0, MOST_TYPE),
    receivedAt: ctx.now,
    gatewayAccountId: accountIds[0],
    failureCode: report.failureCode?.slice(0, MOST_CODE) ?? null,
  });
}

/** The statement that gives a stray report its refund; the trigger of the refund may have done so. */
export function endStray(ctx: CallCtx, id: number, refundId: SQL | null) {
  const { refundId: its, dismissedAt } = gatewayRefundEvents;
  return ctx.db
    .update(gatewayRefundEvents)
    .set({ refundId })
    .where(and(eq(gatewayRefundEvents.id, id), isNull(its), isNull(dismissedAt)));
}
