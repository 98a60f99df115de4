import { type SQL, sql } from "drizzle-orm";
import { settleInvoice } from "#features/invoices";
import { reverseEntries } from "#features/ledger";
import { atomic, refuseIfNone } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import type { RecordParams } from "../schema.ts";
import { payments } from "./tables.ts";

/** Takes a payment back in full: it is removed, its entry reversed, and the invoice is due again. */
export function refundPayment(ctx: Ctx, { id }: RecordParams): Promise<{ id: number }> {
  const column = <T>(name: string): SQL<T> =>
    sql`(SELECT ${sql.identifier(name)} FROM ${payments} WHERE id = ${id})`;
  return atomic(
    ctx,
    [
      sql`UPDATE ${payments} SET deleted_at = ${ctx.now}, removed_by = ${ctx.operation.id}, updated_at = ${ctx.now}
        WHERE id = ${id} AND deleted_at IS NULL`,
      refuseIfNone("not_found"),
      ...settleInvoice(ctx, column("invoice_id"), {
        amount: sql<number>`-${column("amount")}`,
        tdsAmount: sql<number>`-${column("tds_amount")}`,
      }),
      ...reverseEntries(ctx, sql`original.source_type = 'payment' AND original.source_id = ${id}`),
    ],
    sql<{ id: number }>`SELECT json_object('id', ${id})`,
  );
}
