import { type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#platform/context.ts";
import { unattended } from "#platform/write/atomic.ts";
import { auditEach } from "#platform/write/audit-log.ts";
import type { Erasure } from "#platform/write/erasures.ts";
import { forgetSnapshots } from "#platform/write/events.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { paymentIntents } from "#tables/gateway-payments";
import { salesOrders } from "../tables.ts";

/** For how long orders are kept that nobody paid. */
const KEPT_MS = 90 * DAY_MS;
const ERASED_AT_ONCE = 200;

/** Whether nothing refers to an order: no money came for it, none can, and nobody looks at it. */
export const isAbandoned = sql`(${salesOrders.paymentStatus} = 'unpaid' AND ${salesOrders.status} <> 'invoiced'
  AND ${salesOrders.reviewCode} IS NULL AND ${salesOrders.reviewedAt} IS NULL
  AND ${salesOrders.needsRefund} = 0 AND ${salesOrders.outsideReference} IS NULL
  AND ${salesOrders.overcapturedAmount} = 0
  AND NOT EXISTS (SELECT 1 FROM ${paymentIntents}
    WHERE ${paymentIntents.kind} = 'order' AND ${paymentIntents.refId} = CAST(${salesOrders.id} AS TEXT)))`;

/**
 * Erases orders that nobody paid for 90 days. One stays while an intent of it is there, money is owed back for it, or
 * somebody has looked at it or has to.
 */
export async function eraseAbandonedOrders(ctx: WriteCtx): Promise<void> {
  const old = abandoned(ctx.now - KEPT_MS);
  for (let erased = ERASED_AT_ONCE; erased >= ERASED_AT_ONCE; ) {
    const [, orders] = await unattended(ctx, [
      auditEach(ctx, "eraseOrder", old),
      ctx.db.delete(salesOrders).where(sql`${salesOrders.id} IN (${old})`),
    ]);
    erased = orders?.rowsAffected ?? 0;
  }
}

/** Erases again the orders that `eraseAbandonedOrders` erased. */
export const orderErasure: Erasure = {
  action: "eraseOrder",
  tables: [salesOrders],
  left: (given) => sql`SELECT record FROM ${given} JOIN ${salesOrders}
    ON ${salesOrders.id} = CAST(record AS INTEGER) AND ${salesOrders.createdAt} <= at`,
  forget: (left) => [forgetSnapshots("order", sql`SELECT record FROM (${left})`)],
  erase: (left) => [
    sql`DELETE FROM ${salesOrders} WHERE ${salesOrders.id} IN (SELECT CAST(record AS INTEGER) FROM (${left}))`,
  ],
};

function abandoned(until: number): SQL {
  const { id, createdAt } = salesOrders;
  return sql`SELECT ${id} FROM ${salesOrders} WHERE ${isAbandoned} AND ${createdAt} <= ${until}
    ORDER BY ${createdAt} LIMIT ${ERASED_AT_ONCE}`;
}
