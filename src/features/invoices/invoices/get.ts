import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { invoices } from "../tables.ts";
import { type InvoiceRow, selectInvoices } from "./snapshot.ts";

/** One invoice; a voided one too, for an auditor must be able to read it. */
export async function getInvoice(ctx: CallCtx, { id }: RecordParams): Promise<InvoiceRow> {
  return readOne(ctx, selectInvoices(ctx, withId({ id })));
}

const withId = keptStatement(({ id }: Given<{ id: number }>) => sql`WHERE ${invoices.id} = ${id}`);
