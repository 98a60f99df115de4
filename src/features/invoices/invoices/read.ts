import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { ofInvoice, withCaptures } from "#features/captures";
import { idReference, type RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { invoices } from "#tables/invoices";
import { type InvoiceRow, PAYMENT_STATUSES, selectInvoices } from "./record.ts";

export const InvoiceQuery = z.object({
  status: z.enum(PAYMENT_STATUSES).optional().meta({ description: "The payment status." }),
  customer_id: idReference.optional(),
});
type InvoiceQuery = z.infer<typeof InvoiceQuery>;

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

/** One invoice; a voided one too, for an auditor must be able to read it. */
export async function getInvoice(ctx: CallCtx, { id }: RecordParams): Promise<InvoiceRow> {
  return readOne(ctx, withCaptures(selectInvoices(ctx, withId({ id })), ofInvoice(id), "$.invoice"));
}

const withId = keptStatement(({ id }: Given<{ id: number }>) => sql`WHERE ${invoices.id} = ${id}`);
