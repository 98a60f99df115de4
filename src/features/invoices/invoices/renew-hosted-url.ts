import { eq, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { invoices } from "#tables/invoices";
import { type InvoiceRow, selectInvoices } from "./record.ts";

/** Gives an invoice's page another address; the old one is unknown from then on. */
export function renewHostedUrl(ctx: Ctx, { id }: RecordParams): Promise<InvoiceRow> {
  const here = eq(invoices.id, id);
  return atomic(
    ctx,
    [
      refuseWhen(
        sql`EXISTS (SELECT 1 FROM ${invoices} WHERE ${here} AND ${invoices.status} = 'voided')`,
        "invoice_voided",
      ),
      ctx.db.update(invoices).set({ publicToken: ctx.newToken(), updatedAt: ctx.now }).where(here),
      refuseIfNone("not_found"),
    ],
    selectInvoices(ctx, sql`WHERE ${here}`),
  );
}
