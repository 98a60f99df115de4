import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { invoices } from "../tables.ts";
import { invoiceExample } from "./examples.ts";
import { Invoice } from "./schema.ts";
import { renderInvoice, renderIssued, selectInvoicesAsOf } from "./snapshot.ts";

/** The data of invoice events. */
export const invoiceResource = resource({
  name: "invoice",
  scope: "invoices:read",
  record: Invoice,
  example: invoiceExample,
  select: ({ today }, id) => selectInvoicesAsOf({ today, tail: sql`WHERE ${invoices.id} = ${id}` }),
  render: renderInvoice,
  alsoRenderedBy: [renderIssued],
});
