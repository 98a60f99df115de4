import { and, eq, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#core/context.ts";
import type { IntentRow } from "#features/gateway-payments";
import { salesOrders } from "#tables/storefront";

/** True of an order that is neither paid nor ended. */
export const isOpen = and(eq(salesOrders.status, "draft"), eq(salesOrders.paymentStatus, "unpaid"));

/** A change of the order that a payment is of, where `when` holds. */
export function setOrder(
  ctx: ReadCtx,
  intent: IntentRow,
  change: SQLiteUpdateSetSource<typeof salesOrders>,
  when?: SQL,
): SQLWrapper {
  return ctx.db
    .update(salesOrders)
    .set({ ...change, updatedAt: ctx.now })
    .where(and(orderOf(intent), when));
}

/** The order that a payment is of, as a condition on `sales_orders`. */
export function orderOf({ refId }: IntentRow): SQL {
  return eq(salesOrders.id, Number(refId));
}
