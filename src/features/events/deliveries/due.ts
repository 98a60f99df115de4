import { and, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { BackgroundCtx, UnattendedCtx } from "#platform/context.ts";
import { type Due, lookAt } from "#platform/due.ts";
import { deliverTask } from "#platform/jobs.ts";
import { unattended } from "#platform/write/atomic.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { eventEndpoints as endpoints } from "../endpoints/tables.ts";
import { eventDeliveries as deliveries } from "./tables.ts";
import { isFailing } from "./waiting.ts";

const AT_ONCE = 1_000;
const MOST_WAITING = 10_000;
const oldest = alias(deliveries, "oldest");

// In the words of the index that holds only such rows.
const isMoving = sql`${deliveries.state} IN ('pending', 'sending')`;

/** Deliveries whose time has come, and those whose job or run was lost; each is looked at again after twice as long. */
export const deliveriesDue: Due = {
  look: (ctx) =>
    lookAt(ctx, {
      table: deliveries,
      index: "event_deliveries_due",
      where: isMoving,
      instant: sql`${deliveries.lookAt}`,
    }),
  act: queueOverdue,
};

async function queueOverdue(ctx: UnattendedCtx & BackgroundCtx): Promise<number | null> {
  const { id, requeues } = deliveries;
  const overdue = and(isMoving, lte(deliveries.lookAt, ctx.now));
  const [rows] = await ctx.database.read([
    ctx.db.select({ id }).from(deliveries).where(overdue).orderBy(deliveries.lookAt).limit(AT_ONCE),
  ]);
  if (rows.length === 0) return null;
  const ids = JSON.stringify(rows.map((row) => row.id));
  // Before they are queued: a run that dies in between costs a wait, and never a queue that fills up.
  await unattended(ctx, [
    ctx.db
      .update(deliveries)
      .set({
        requeues: sql`${requeues} + 1`,
        lookAt: sql`${ctx.now} + (${MINUTE_MS} << min(${requeues}, 6))`,
      })
      .where(and(sql`${id} IN (SELECT value FROM json_each(${ids}))`, overdue)),
  ]);
  await ctx.enqueue(rows.map((row) => deliverTask(row.id)));
  return rows.length === AT_ONCE ? ctx.now : ctx.now + MINUTE_MS;
}

const waits = sql`${deliveries.endpointId} = ${endpoints.id}
  AND (${deliveries.state} = 'held' OR (${deliveries.state} = 'pending' AND NOT ${isFailing}))`;
const waiting = sql<number>`(SELECT count(*) FROM ${deliveries} WHERE ${waits})`;

/** Endpoints that more waits for than is kept: the oldest is skipped. */
export const crowdedEndpoints: Due = {
  look: () =>
    sql`SELECT json_object('due', EXISTS (SELECT 1 FROM ${endpoints} WHERE ${waiting} > ${MOST_WAITING}), 'next', NULL)
      AS snapshot`,
  async act(ctx) {
    const [crowded] = await ctx.database.read([
      ctx.db.select({ id: endpoints.id, waiting }).from(endpoints).where(sql`${waiting} > ${MOST_WAITING}`),
    ]);
    for (const endpoint of crowded)
      await unattended(ctx, [
        sql`UPDATE ${deliveries} SET state = 'skipped', turned_away = 0 WHERE ${deliveries.id} IN (
          SELECT ${oldest.id} FROM ${endpoints} JOIN ${deliveries} AS ${oldest} ON ${oldest.endpointId} = ${endpoints.id}
          WHERE ${endpoints.id} = ${endpoint.id}
            AND (${oldest.state} = 'held' OR (${oldest.state} = 'pending' AND NOT ${isFailing}))
          ORDER BY ${oldest.id} LIMIT ${endpoint.waiting - MOST_WAITING})`,
      ]);
    return null;
  },
};
