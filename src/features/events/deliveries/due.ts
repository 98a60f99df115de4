import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { BackgroundCtx, SystemWriteCtx } from "#core/context.ts";
import { type Due, lookAt } from "#core/due.ts";
import { deliverTask } from "#core/jobs.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { eventDeliveries as deliveries, eventEndpoints as endpoints } from "#tables/events";
import { isFailing } from "./waiting.ts";

const MOST_WAITING = 10_000;
const oldest = alias(deliveries, "oldest");

// In the words of the index that holds only such rows.
const isMoving = sql`${deliveries.state} IN ('pending', 'sending')`;

/** Deliveries whose time has come, and those whose job or run was lost. Each endpoint of theirs gets one job. */
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

async function queueOverdue(ctx: SystemWriteCtx & BackgroundCtx): Promise<number | null> {
  const overdue = sql`${isMoving} AND ${deliveries.lookAt} <= ${ctx.now}`;
  const [cells] = await ctx.database.read([
    jsonQuery(
      ctx,
      sql<number>`SELECT DISTINCT ${deliveries.endpointId} AS snapshot
        FROM ${deliveries} INDEXED BY event_deliveries_due WHERE ${overdue}`,
    ),
  ]);
  if (cells.length === 0) return null;
  // Before they are queued: a run that dies in between costs a wait, and never a queue that fills up.
  await systemWrite(ctx, [
    sql`UPDATE ${deliveries} INDEXED BY event_deliveries_due SET look_at = ${ctx.now + MINUTE_MS} WHERE ${overdue}`,
  ]);
  await ctx.enqueue(parseRows(cells).map(deliverTask));
  return ctx.now + MINUTE_MS;
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
      await systemWrite(ctx, [
        sql`UPDATE ${deliveries} SET state = 'skipped' WHERE ${deliveries.id} IN (
          SELECT ${oldest.id} FROM ${endpoints} JOIN ${deliveries} AS ${oldest} ON ${oldest.endpointId} = ${endpoints.id}
          WHERE ${endpoints.id} = ${endpoint.id}
            AND (${oldest.state} = 'held' OR (${oldest.state} = 'pending' AND NOT ${isFailing}))
          ORDER BY ${oldest.id} LIMIT ${endpoint.waiting - MOST_WAITING})`,
      ]);
    return null;
  },
};
