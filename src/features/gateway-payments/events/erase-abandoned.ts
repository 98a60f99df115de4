import { sql } from "drizzle-orm";
import type { SystemWriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { gatewayEvents, paymentIntents } from "#tables/gateway-payments";

/** How long unpaid payment intents are kept, with the events of their gateways. */
const KEPT_MS = 90 * DAY_MS;
const ERASED_AT_ONCE = 200;

// Written out, so that the partial indexes serve them.
const movedNothing = sql`${gatewayEvents.outcome} IN ('ignored', 'failed') AND ${gatewayEvents.amount} IS NULL`;
const isFailed = sql`${paymentIntents.status} = 'failed'`;

/**
 * Erases intents that failed 90 days ago, and events that moved nothing and report no money. An intent stays while an event says that money
 * came for it.
 */
export async function eraseAbandonedPayments(ctx: SystemWriteCtx): Promise<void> {
  const until = ctx.now - KEPT_MS;
  const abandoned = sql`SELECT ${paymentIntents.id} FROM ${paymentIntents}
    WHERE ${isFailed} AND ${paymentIntents.gatewayPaymentId} IS NULL AND ${paymentIntents.createdAt} <= ${until}
      AND NOT EXISTS (SELECT 1 FROM ${gatewayEvents}
        WHERE ${gatewayEvents.intentId} = ${paymentIntents.id} AND NOT (${movedNothing}))
    ORDER BY ${paymentIntents.createdAt} LIMIT ${ERASED_AT_ONCE}`;
  const { gateway, eventId } = gatewayEvents;
  const stray = sql`SELECT ${gateway}, ${eventId} FROM ${gatewayEvents}
    WHERE ${gatewayEvents.intentId} IS NULL AND ${movedNothing} AND ${gatewayEvents.receivedAt} <= ${until}
    ORDER BY ${gatewayEvents.receivedAt} LIMIT ${ERASED_AT_ONCE}`;
  for (let erased = ERASED_AT_ONCE; erased >= ERASED_AT_ONCE; ) {
    const [, intents, events] = await systemWrite(ctx, [
      ctx.db.delete(gatewayEvents).where(sql`${gatewayEvents.intentId} IN (${abandoned})`),
      ctx.db.delete(paymentIntents).where(sql`${paymentIntents.id} IN (${abandoned})`),
      ctx.db.delete(gatewayEvents).where(sql`(${gateway}, ${eventId}) IN (${stray})`),
    ]);
    erased = Math.max(intents?.rowsAffected ?? 0, events?.rowsAffected ?? 0);
  }
}
