import { sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readList } from "#platform/sql/read-records.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { invoices } from "../tables.ts";
import type { InvoiceQuery } from "./schema.ts";
import { type InvoiceRow, selectInvoices } from "./snapshot.ts";

/** Invoices that are not voided, newest first, with their lines. */
export async function listInvoices(
  ctx: CallCtx,
  _params: unknown,
  { status, customer_id: customerId, page }: InvoiceQuery & { page: Page },
): Promise<Listed<InvoiceRow>> {
  const conditions = [sql`${invoices.status} <> 'voided'`, sql`${invoices.id} < ${idBelow(page)}`];
  if (status !== undefined) conditions.push(sql`${invoices.paymentStatus} = ${status}`);
  if (customerId !== undefined) conditions.push(sql`${invoices.customerId} = ${customerId}`);
  const tail = sql`WHERE ${sql.join(conditions, sql` AND `)} ORDER BY ${invoices.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectInvoices(ctx, tail));
}
