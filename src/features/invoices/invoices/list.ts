import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readList } from "#core/sql/read-records.ts";
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
  const paid = status === undefined ? sql`` : sql`AND ${invoices.paymentStatus} = ${status}`;
  const which = customerId === undefined ? paid : sql`${paid} AND ${invoices.customerId} = ${customerId}`;
  const tail = newestFirst({ below: idBelow(page), take: page.take, which });
  return readList(ctx, page, selectInvoices(ctx, tail));
}

const newestFirst = keptStatement(
  ({ below, take, which }: Given<{ below: number; take: number; which: SQL }>) =>
    sql`WHERE ${invoices.status} <> 'voided' AND ${invoices.id} < ${below} ${which} ORDER BY ${invoices.id} DESC LIMIT ${take}`,
);
