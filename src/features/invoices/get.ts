import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { Problem } from "#shared/problem.ts";
import type { InvoiceParams } from "./schema.ts";
import { type InvoiceRow, selectInvoices } from "./snapshot.ts";
import { invoices } from "./tables.ts";

/** One invoice; a voided one too, for an auditor must be able to read it. */
export async function getInvoice(ctx: Ctx, { id }: InvoiceParams): Promise<InvoiceRow> {
  const [rows] = await read(ctx, [jsonQuery(ctx, selectInvoices(ctx, sql`WHERE ${invoices.id} = ${id}`))]);
  const [invoice] = parseRows(rows);
  if (invoice === undefined) throw new Problem("not_found");
  return invoice;
}
