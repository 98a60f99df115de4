import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { capturesOf } from "#features/gateway-payments";
import { gatewayCaptures } from "#tables/captures";
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
