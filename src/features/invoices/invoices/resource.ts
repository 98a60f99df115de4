import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { invoices } from "../tables.ts";
import { Invoice } from "./schema.ts";
import { renderInvoice, renderIssued, selectInvoicesAsOf } from "./snapshot.ts";

/** What events tell of invoices. */
export const invoiceResource = resource({
  name: "invoice",
  scope: "invoices:read",
  record: Invoice,
  select: ({ today }, id) => selectInvoicesAsOf({ today, tail: sql`WHERE ${invoices.id} = ${id}` }),
  render: renderInvoice,
  alsoRenderedBy: [renderIssued],
});
