import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { invoices } from "../tables.ts";
import { invoiceExample } from "./examples.ts";
import { Invoice } from "./schema.ts";
import { renderInvoice, renderIssued, selectInvoices } from "./snapshot.ts";

/** What events tell of invoices. */
export const invoiceResource = resource({
  name: "invoice",
  scope: "invoices:read",
  record: Invoice,
  example: invoiceExample,
  select: (ctx, id) => selectInvoices(ctx, sql`WHERE ${invoices.id} = ${id}`),
  render: renderInvoice,
  alsoRenderedBy: [renderIssued],
});
