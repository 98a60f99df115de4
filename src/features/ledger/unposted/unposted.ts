import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { companyDate } from "#core/calendar.ts";
import type { CallCtx, Ctx } from "#core/context.ts";
import { amount, from, idText, internal } from "#core/sql/fields.ts";
import { readList } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { BOOKS_CURRENCY } from "#shared/payments/books.ts";
import { UNPOSTED_REASONS } from "#shared/payments/posting-warnings.ts";
import { invoices } from "#tables/invoices";
import { payments } from "#tables/payments";
import { salesOrders } from "#tables/storefront";
import { unposted } from "./tables.ts";

/** A document without a journal entry, as it is stored: only the money of an order has no date. */
export const document = record(unposted, {
  id: internal(unposted.id),
  source_type: z.enum(["invoice", "payment", "order"]).meta({
    description: "`order`: the money of an order that waits in review and has no invoice yet.",
  }),
  source_id: idText,
  number: from(
    sql<string>`coalesce(${invoices.invoiceNumber}, ${payments.paymentNumber}, ${salesOrders.orderNumber})`,
    z.string(),
  ),
  date: from(sql<string>`coalesce(${invoices.invoiceDate}, ${payments.paymentDate})`, z.string()),
  amount: from(
    sql<number>`coalesce(${invoices.totalAmount}, ${payments.amount}, ${salesOrders.totalAmount})`,
    amount,
  ),
  currency: from(
    sql<string>`coalesce(${invoices.currency}, ${payments.currency}, ${salesOrders.currency})`,
    z.string(),
  ),
  reason: z.enum(UNPOSTED_REASONS).meta({ description: "The reason why the journal entry was left out." }),
  created_at: internal(unposted.createdAt),
});
type UnpostedRow = Omit<RowOf<typeof document>, "date"> & { date: string | null };

const unpostedExample = {
  source_type: "invoice" as const,
  source_id: "12",
  number: "INV/26-27/00012",
  date: "2026-11-21",
  amount: 354,
  currency: "INR",
  reason: "account_inactive" as const,
};

export const unpostedRoutes = new Router("Ledger").list(
  {
    id: "listUnposted",
    method: "get",
    path: "/ledger/:company/unposted",
    summary: "List documents without a journal entry",
    description:
      "Valid invoices and payments whose journal entry was left out, and the money of paid orders in review. Newest first, with the reason.",
    scope: "ledger:read",
    result: document.schema,
    example: { result: unpostedExample },
    render: renderUnposted,
    sort: (row) => [row.id],
  },
  listUnposted,
);

/** Live invoices and payments whose journal entry was left out, and money of orders in review, newest first. */
export async function listUnposted(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<UnpostedRow>> {
  // A company of another currency keeps its books elsewhere.
  const kept = sql`${ctx.company.currency} = ${BOOKS_CURRENCY}`;
  const select = sql<UnpostedRow>`SELECT ${document.columns()} AS snapshot FROM ${unposted}
    LEFT JOIN ${invoices} ON ${unposted.sourceType} = 'invoice' AND ${invoices.id} = ${unposted.sourceId}
    LEFT JOIN ${payments} ON ${unposted.sourceType} = 'payment' AND ${payments.id} = ${unposted.sourceId}
    LEFT JOIN ${salesOrders} ON ${unposted.sourceType} = 'order' AND ${salesOrders.id} = ${unposted.sourceId}
    WHERE ${unposted.id} < ${idBelow(page)} AND ${kept} ORDER BY ${unposted.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, select);
}

/** The money of an order has no document with a date: it has the date of the day on which it came. */
function renderUnposted(row: UnpostedRow, { company }: Ctx) {
  return document.render({ ...row, date: row.date ?? companyDate(row.created_at, company.timezone) });
}
