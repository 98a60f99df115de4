import { and, eq, sql } from "drizzle-orm";
import type { ReadCtx, WriteCtx } from "#core/context.ts";
import { selectId } from "#core/sql/json.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { closeDebtorAccount, debtorAccountOf } from "#features/ledger";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { customers } from "#tables/customers";
import { invoices } from "#tables/invoices";
import { accounts, journalEntries, journalLines } from "#tables/ledger";
import { payments } from "#tables/payments";
import { salesOrders } from "#tables/storefront";
import { isLive } from "./snapshot.ts";

/** Removes a customer and its debtor account; one who is also a vendor stays as a vendor. */
export function deleteCustomer(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      ctx.db
        .update(customers)
        .set({
          isCustomer: 0,
          deletedAt: sql`CASE WHEN ${customers.isVendor} = 1 THEN NULL ELSE ${ctx.now} END`,
          updatedAt: ctx.now,
        })
        .where(and(eq(customers.id, id), isLive)),
      refuseIfNone("not_found"),
      closeDebtorAccount(ctx, id),
    ],
    selectId(id),
    { customer_has_dependents: () => blocked(ctx, id) },
  );
}

const DEPENDENTS = ["invoices", "payments", "ledger", "orders"] as const;

/** The 409 that names what still refers to the customer. */
async function blocked(ctx: ReadCtx, id: number): Promise<Problem> {
  const [[found]] = await ctx.database.read([
    ctx.db.all<Record<(typeof DEPENDENTS)[number], number>>(sql`SELECT
      EXISTS (SELECT 1 FROM ${invoices} WHERE ${invoices.customerId} = ${id}) AS invoices,
      EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.customerId} = ${id} AND ${payments.deletedAt} IS NULL) AS payments,
      EXISTS (
        SELECT 1 FROM ${accounts}
        JOIN ${journalLines} ON ${journalLines.accountId} = ${accounts.id}
        JOIN ${journalEntries} ON ${journalEntries.id} = ${journalLines.entryId}
        WHERE ${debtorAccountOf(id)} AND ${journalEntries.status} = 'posted' AND ${journalEntries.reversalOf} IS NULL
      ) AS ledger,
      EXISTS (
        SELECT 1 FROM ${salesOrders} WHERE ${salesOrders.customerId} = ${id} AND ${salesOrders.status} = 'draft'
      ) AS orders`),
  ]);
  const blockedBy = DEPENDENTS.filter((name) => found?.[name] === 1);
  return new Problem("customer_has_dependents", {
    message: `The customer is still referred to by ${blockedBy.join(" and ")}`,
    members: { blocked_by: blockedBy },
  });
}
