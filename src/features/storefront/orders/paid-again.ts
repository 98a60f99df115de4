import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { capturesOf } from "#features/gateway-payments";
import { advances, gatewayCaptures } from "#tables/captures";
import { salesOrders } from "#tables/storefront";

/** The statement after those that pay an order's invoice again: the order is owed no more, unless other money of it waits. */
export function orderPaidAgain({ now }: ReadCtx, invoiceId: number): SQL {
  const { id, needsRefund } = salesOrders;
  // The invoice was due, so its notes have no unused credit.
  return sql`UPDATE ${salesOrders} SET needs_refund = 0, updated_at = ${now}
    WHERE ${salesOrders.invoiceId} = ${invoiceId} AND ${needsRefund} = 1 AND NOT EXISTS (
      SELECT 1 FROM ${gatewayCaptures}
      WHERE ${capturesOf("order", sql`CAST(${id} AS TEXT)`)} AND ${gatewayCaptures.advanceAmount} > 0)`;
}

/** The statement after those that reopen a capture: its order is owed what waits, but for what came above its price. */
export function orderOwedAgain({ now }: ReadCtx, captureId: number): SQL {
  const { id, needsRefund, paymentStatus, overcapturedAmount } = salesOrders;
  const fees = sql`(SELECT coalesce(sum(${advances.amount}), 0) FROM ${advances}
    WHERE ${advances.captureId} = sibling.id AND ${advances.kind} = 'fee')`;
  return sql`UPDATE ${salesOrders} SET needs_refund = 1, outside_reference = NULL, updated_at = ${now}
    FROM (SELECT ref_id, sum(advance_amount) AS waiting, sum(${fees}) AS fees FROM capture_siblings AS sibling
      WHERE of_capture_id = ${captureId} AND kind = 'order' GROUP BY ref_id) AS money
    WHERE ${id} = CAST(money.ref_id AS INTEGER) AND ${needsRefund} = 0 AND ${paymentStatus} <> 'review'
      AND money.waiting > max(0, ${overcapturedAmount} - money.fees)`;
}
