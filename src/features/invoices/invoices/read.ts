import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { datedIn, equalTo, type Placed, readNarrowed } from "#core/sql/narrowed.ts";
import { readOne } from "#core/sql/read-records.ts";
import { ofInvoice, withCaptures } from "#features/captures";
import { externalIdFilter } from "#shared/fields/external-id.ts";
import { idReference, type RecordParams } from "#shared/fields/ids.ts";
import { changeFilters, documentNumber } from "#shared/fields/list-filters.ts";
import type { Listed, Page, SortKey } from "#shared/page.ts";
import { isoDate } from "#shared/time/dates.ts";
import { invoices } from "#tables/invoices";
import { type InvoiceRow, PAYMENT_STATUSES, selectInvoices } from "./record.ts";

export const InvoiceQuery = z.object({
  external_id: externalIdFilter,
  status: z.enum(PAYMENT_STATUSES).optional().meta({ description: "The payment status." }),
  customer_id: idReference.optional(),
  number: documentNumber,
  invoice_date_from: isoDate.optional().meta({ description: "The first `invoice_date`, inclusive." }),
  invoice_date_to: isoDate.optional().meta({ description: "The last `invoice_date`, inclusive." }),
  due_before: isoDate
    .optional()
    .meta({ description: "Whose `due_date` is earlier, paid or not: see `status`. The latest first." }),
  ...changeFilters,
});
type InvoiceQuery = z.infer<typeof InvoiceQuery>;

/** Invoices that are not voided, with their lines: newest first, or by the order or the dates that the query names. */
export async function listInvoices(
  ctx: CallCtx,
  _params: unknown,
  query: InvoiceQuery & { page: Page },
): Promise<Listed<Placed<InvoiceRow>>> {
  const { status, number, due_before: dueBefore } = query;
  const second = invoices.createdAt;
  const { invoice_date_from: from, invoice_date_to: to } = query;
  return readNarrowed(
    ctx,
    {
      resource: "invoice",
      table: invoices,
      select: (tail: SQL) => selectInvoices(ctx, sql`WHERE ${invoices.status} <> 'voided' AND ${tail}`),
    },
    query,
    [
      datedIn({ column: invoices.invoiceDate, second, name: "invoice_date" }, { from, to }),
      dueBefore === undefined
        ? undefined
        : { column: invoices.dueDate, second, from: "", before: dueBefore, place: 1 },
    ],
    status && eq(invoices.paymentStatus, status),
    equalTo(invoices, query, "customer_id"),
    number === undefined ? undefined : eq(invoices.invoiceNumber, number),
  );
}

/** Where an invoice stands in a list, by whatever the list goes. */
export function placeOf({ id, invoice, listed_at: at }: Placed<InvoiceRow>): SortKey {
  return [at ?? invoice.invoice_date, invoice.due_date, invoice.created_at, id];
}

/** One invoice; a voided one too, for an auditor must be able to read it. */
export async function getInvoice(ctx: CallCtx, { id }: RecordParams): Promise<InvoiceRow> {
  return readOne(ctx, withCaptures(selectInvoices(ctx, withId({ id })), ofInvoice(id), "$.invoice"));
}

const withId = keptStatement(({ id }: Given<{ id: number }>) => sql`WHERE ${invoices.id} = ${id}`);
