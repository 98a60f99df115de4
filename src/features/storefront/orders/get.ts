import { eq, sql } from "drizzle-orm";
import type { OutsideCtx, ReadCtx, WriteCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readOne } from "#core/sql/read-records.ts";
import { auditLog } from "#core/write/tables.ts";
import { salesOrders } from "../tables.ts";
import type { OrderParams } from "./schema.ts";
import { type OrderRow, orderJson, renderOrder, withInvoice } from "./snapshot.ts";

type ShopOrderRow = OrderRow & { is_own: 0 | 1 };

/** An order that was made through checkout, and whether the calling key made it. */
export async function getOrder(ctx: WriteCtx, { orderId }: OrderParams): Promise<ShopOrderRow> {
  return readOne(ctx, select({ id: orderId, actor: ctx.actor.id }));
}

const select = keptStatement(({ id, actor }: Given<{ id: number; actor: string }>) => {
  const isOwn = sql`EXISTS (SELECT 1 FROM ${auditLog} WHERE ${auditLog.record} = CAST(${salesOrders.id} AS TEXT)
    AND ${auditLog.action} = 'checkout' AND ${auditLog.actor} = ${actor})`;
  return sql<ShopOrderRow>`SELECT json_set(${orderJson()}, '$.is_own', ${isOwn}) AS snapshot
    FROM ${salesOrders} ${withInvoice()} WHERE ${eq(salesOrders.id, id)}`;
});

/** What a shop's key may read: of an order that another key placed, nothing of the shopper's. */
export function renderShopOrder(row: ShopOrderRow, ctx: ReadCtx & OutsideCtx) {
  const { is_own: isOwn, ...order } = row;
  const rendered = renderOrder(order, ctx);
  if (isOwn === 1 || ctx.client.holds("orders:read")) return rendered;
  return { ...rendered, customer: null, notes: null, metadata: null, invoice_url: null };
}
