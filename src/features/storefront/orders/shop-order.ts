import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { OutsideCtx, ReadCtx, WriteCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readOne } from "#core/sql/read-records.ts";
import { recordId } from "#shared/fields/ids.ts";
import { auditLog } from "#tables/core";
import { salesOrders } from "#tables/storefront";
import { type OrderRow, order, withInvoice } from "./record.ts";

const OrderParams = z.object({ orderId: recordId });
const { customer, metadata } = order.schema.shape;
const ShopOrder = order.schema
  .extend({ customer: customer.nullable(), metadata: metadata.nullable() })
  .meta({ id: "Order" });
type ShopOrderRow = OrderRow & { is_own: 0 | 1 };

export const orderRoutes = new Router("Storefront", "/order").get({ getOrder }, "/:orderId", {
  summary: "Read an order's status",
  description:
    "`customer`, `notes`, `metadata` and `invoice_url` are shown to the key that placed the order, and to keys with `orders:read`. For another shop's key they are null.",
  params: OrderParams,
  record: { schema: ShopOrder, render: renderShopOrder },
});

/** An order that was made through checkout, and whether the calling key made it. */
async function getOrder(ctx: WriteCtx, { orderId }: z.output<typeof OrderParams>): Promise<ShopOrderRow> {
  return readOne(ctx, select({ id: orderId, actor: ctx.actor.id }));
}

const select = keptStatement(({ id, actor }: Given<{ id: number; actor: string }>) => {
  const isOwn = sql`EXISTS (SELECT 1 FROM ${auditLog} WHERE ${auditLog.record} = CAST(${salesOrders.id} AS TEXT)
    AND ${auditLog.action} = 'checkout' AND ${auditLog.actor} = ${actor})`;
  return sql<ShopOrderRow>`SELECT json_set(${order.columns()}, '$.is_own', ${isOwn}) AS snapshot
    FROM ${salesOrders} ${withInvoice()} WHERE ${eq(salesOrders.id, id)}`;
});

/** What a shop's key may read: of an order that another key placed, nothing of the shopper's. */
function renderShopOrder(row: ShopOrderRow, ctx: ReadCtx & OutsideCtx) {
  const { is_own: isOwn, ...stored } = row;
  const rendered = order.render(stored, ctx);
  if (isOwn === 1 || ctx.client.holds("orders:read")) return rendered;
  return { ...rendered, customer: null, notes: null, metadata: null, invoice_url: null };
}
