import { type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { auditEach } from "#core/write/audit-log.ts";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { paymentIntents } from "#tables/gateway-payments";
import { salesOrders } from "#tables/storefront";

/** How long unpaid orders are kept. */
const KEPT_MS = 90 * DAY_MS;
const ERASED_AT_ONCE = 200;

/** Returns true when nothing refers to an order: no money came or can come for it, and it is not in review. */
export const isAbandoned = sql`(${salesOrders.paymentStatus} = 'unpaid' AND ${salesOrders.status} <> 'invoiced'
  AND ${salesOrders.reviewCode} IS NULL AND ${salesOrders.reviewedAt} IS NULL
  AND ${salesOrders.needsRefund} = 0 AND ${salesOrders.outsideReference} IS NULL
  AND ${salesOrders.overcapturedAmount} = 0
  AND NOT EXISTS (SELECT 1 FROM ${paymentIntents}
    WHERE ${paymentIntents.kind} = 'order' AND ${paymentIntents.refId} = CAST(${salesOrders.id} AS TEXT)))`;

/**
 * Erases orders that stayed unpaid for 90 days. An order stays while it has an intent, money is owed back for it, or
 * staff have reviewed it or must review it.
 */
export async function eraseAbandonedOrders(ctx: WriteCtx): Promise<void> {
  const old = abandoned(ctx.now - KEPT_MS);
  for (let erased = ERASED_AT_ONCE; erased >= ERASED_AT_ONCE; ) {
    const [, orders] = await systemWrite(ctx, [
      auditEach(ctx, "eraseOrder", old),
      ctx.db.delete(salesOrders).where(sql`${salesOrders.id} IN (${old})`),
    ]);
    erased = orders?.rowsAffected ?? 0;
  }
}

/** Erases again the orders that `eraseAbandonedOrders` erased. */
export const orderErasure: Erasure = {
  action: "eraseOrder",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${salesOrders}
    ON ${salesOrders.id} = CAST(record AS INTEGER) AND ${salesOrders.createdAt} <= at`,
  forget: (left) => [forgetSnapshots("order", sql`SELECT record FROM (${left})`)],
  erase: (left) => [sql`DELETE FROM ${salesOrders} WHERE ${salesOrders.id} IN (${integersOf(left)})`],
};

function abandoned(until: number): SQL {
  const { id, createdAt } = salesOrders;
  return sql`SELECT ${id} FROM ${salesOrders} WHERE ${isAbandoned} AND ${createdAt} <= ${until}
    ORDER BY ${createdAt} LIMIT ${ERASED_AT_ONCE}`;
}
