import { type SQL, sql } from "drizzle-orm";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { renderStartedPayment, startedPayments } from "#features/gateway-payments";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { salesOrders } from "../tables.ts";
import { orderShape, renderOrder, withInvoice } from "./snapshot.ts";

const shape = {
  ...orderShape,
  customer_id: salesOrders.customerId,
  review_code: salesOrders.reviewCode,
  reviewed_at: salesOrders.reviewedAt,
  oversold: salesOrders.oversold,
  overcaptured_amount: salesOrders.overcapturedAmount,
  outside_reference: salesOrders.outsideReference,
  payments: startedPayments("order", sql`CAST(${salesOrders.id} AS TEXT)`),
  updated_at: salesOrders.updatedAt,
};
export type ListedOrderRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** The SELECT of orders with all that the company knows of them; `from` ends with `sales_orders`. */
export function selectOrders(tail: SQL, from: SQL = sql`${salesOrders}`): SQL<ListedOrderRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${from} ${withInvoice()} WHERE ${tail}`;
}

export function renderListedOrder(row: ListedOrderRow, ctx: ReadCtx & OutsideCtx) {
  return {
    ...row,
    ...renderOrder(row, ctx),
    id: String(row.id),
    customer_id: String(row.customer_id),
    needs_review: row.review_code !== null,
    reviewed_at: timestampOrNull(row.reviewed_at),
    oversold: row.oversold === 1,
    overcaptured_amount: moneyToWire(row.overcaptured_amount),
    payments: row.payments.map(renderStartedPayment),
    updated_at: timestampToWire(row.updated_at),
  };
}
