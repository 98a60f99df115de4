import { sql } from "drizzle-orm";
import { companyDate } from "#core/calendar.ts";
import type { CallCtx, Ctx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { readList } from "#core/sql/read-records.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { BOOKS_CURRENCY } from "#shared/payments/books.ts";
import { invoices } from "#tables/invoices";
import { payments } from "#tables/payments";
import { salesOrders } from "#tables/storefront";
import { unposted } from "./tables.ts";

const shape = {
  id: unposted.id,
  source_type: unposted.sourceType,
  source_id: unposted.sourceId,
  number: sql<string>`coalesce(${invoices.invoiceNumber}, ${payments.paymentNumber}, ${salesOrders.orderNumber})`,
  date: sql<string | null>`coalesce(${invoices.invoiceDate}, ${payments.paymentDate})`,
  amount: sql<number>`coalesce(${invoices.totalAmount}, ${payments.amount}, ${salesOrders.totalAmount})`,
  currency: sql<string>`coalesce(${invoices.currency}, ${payments.currency}, ${salesOrders.currency})`,
  reason: unposted.reason,
  created_at: unposted.createdAt,
};
type UnpostedRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** Live invoices and payments whose journal entry was left out, and money of orders in review, newest first. */
export async function listUnposted(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<UnpostedRow>> {
  // A company of another currency keeps its books elsewhere.
  const kept = sql`${ctx.company.currency} = ${BOOKS_CURRENCY}`;
  const select = sql<UnpostedRow>`SELECT ${columns()} AS snapshot FROM ${unposted}
    LEFT JOIN ${invoices} ON ${unposted.sourceType} = 'invoice' AND ${invoices.id} = ${unposted.sourceId}
    LEFT JOIN ${payments} ON ${unposted.sourceType} = 'payment' AND ${payments.id} = ${unposted.sourceId}
    LEFT JOIN ${salesOrders} ON ${unposted.sourceType} = 'order' AND ${salesOrders.id} = ${unposted.sourceId}
    WHERE ${unposted.id} < ${idBelow(page)} AND ${kept} ORDER BY ${unposted.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, select);
}

/** The money of an order has no document with a date: it has the date of the day on which it came. */
export function renderUnposted({ id: _, created_at: at, ...row }: UnpostedRow, { company }: Ctx) {
  const date = row.date ?? companyDate(at, company.timezone);
  return { ...row, date, source_id: String(row.source_id), amount: moneyToWire(row.amount) };
}
