import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { withExternalId } from "#core/sql/external-id.ts";
import { invoices } from "#tables/invoices";
import { renderIssued } from "./issued.ts";
import { type InvoiceRow, invoice, renderInvoice, selectInvoicesAsOf } from "./record.ts";

/** The data of invoice events. */
export const invoiceResource = resource({
  name: "invoice",
  scope: "invoices:read",
  record: { schema: invoice.schema, render: renderInvoice },
  select: ({ today }, id) => selectInvoicesAsOf({ today, tail: sql`WHERE ${invoices.id} = ${id}` }),
  alsoRenderedBy: [renderIssued],
  upgrades: [
    (row: InvoiceRow) => ({ ...row, invoice: withExternalId(row.invoice) }),
    (row: InvoiceRow) => ({ ...row, invoice: { ...row.invoice, exchange_rate: null } }),
  ],
});
