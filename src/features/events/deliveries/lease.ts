import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { CallCtx, SystemWriteCtx } from "#core/context.ts";
import { jsonObject, jsonQuery, once, parseRows } from "#core/sql/json.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { events } from "#tables/core";
import { eventDeliveries as deliveries, eventEndpoints as endpoints } from "#tables/events";
import { type AddressedEndpoint, addressedEndpoint } from "../endpoints/addressed.ts";
import { type EventRow, eventColumns } from "../events.ts";
import { LEASE_MS, SKEW_MS } from "./schedule.ts";
import { chooseProbe, endpointIs, isActive, isFailing } from "./waiting.ts";

// Of one endpoint at the same time: one that is slow leaves the connections of a call to others.
const SHARE = 4;

const other = alias(deliveries, "other");

const columns = once(() =>
  jsonObject({
    id: deliveries.id,
    attempts: deliveries.attempts,
    endpoint: addressedEndpoint(),
    event: eventColumns(),
  }),
);

/** A delivery that this run has leased, with its event and its endpoint. `run` names the lease, `at` is its start. */
export type Leased = {
  id: number;
  run: string;
  at: number;
  /** This one included. */
  attempts: number;
  endpoint: AddressedEndpoint;
  event: EventRow;
};

/**
 * Leases the oldest due deliveries of an active endpoint for a minute, up to its capacity, if their event is stamped.
 * Those of a dead run are due again; those of a failing endpoint wait, all but one. Without work the job costs one
 * read. The lease has this run's name: a retry after a lost answer still owns it, and counts no second attempt.
 */
export async function leaseDeliveries(ctx: CallCtx & SystemWriteCtx, endpoint: number): Promise<Leased[]> {
  const run = ctx.call.id;
  const id = sql`${endpoint}`;
  const sent = sql`(SELECT count(*) FROM ${deliveries} AS ${other}
    WHERE ${other.endpointId} = ${id} AND ${other.state} = 'sending' AND ${other.leasedUntil} > ${ctx.now})`;
  const isLapsed = sql`${other.endpointId} = ${id} AND ${other.state} = 'sending' AND ${other.leasedUntil} <= ${ctx.now}`;
  const isDue = sql`${other.endpointId} = ${id} AND ${other.state} = 'pending' AND ${other.dueAt} <= ${ctx.now + SKEW_MS}
    AND EXISTS (SELECT 1 FROM ${events} WHERE ${events.sequence} = ${other.sequence} AND ${events.requestId} IS NOT NULL)`;
  const [cells] = await ctx.database.read([
    jsonQuery(
      ctx,
      sql<{
        sent: number;
        waits: 0 | 1;
      }>`SELECT json_object('sent', ${sent}, 'waits', ${endpointIs(id, isActive)} AND (
        EXISTS (SELECT 1 FROM ${deliveries} AS ${other} WHERE ${isLapsed})
        OR EXISTS (SELECT 1 FROM ${deliveries} AS ${other} WHERE ${isDue}))) AS snapshot`,
    ),
  ]);
  const [found] = parseRows(cells);
  const capacity = SHARE - (found?.sent ?? SHARE);
  if (found?.waits !== 1 || capacity <= 0) return [];
  const results = await systemWrite(ctx, [
    sql`UPDATE ${deliveries} SET state = iif(${endpointIs(id, isFailing)}, 'held', 'pending'), lease = NULL, leased_until = 0
      WHERE ${deliveries.id} IN (SELECT ${other.id} FROM ${deliveries} AS ${other} WHERE ${isLapsed})`,
    chooseProbe(ctx, id),
    // If another run took the capacity meanwhile, it also finds these deliveries.
    sql`UPDATE ${deliveries} SET attempts = attempts + 1, state = 'sending', lease = ${run}, own_due_at = NULL,
        leased_until = ${ctx.now + LEASE_MS}, look_at = ${ctx.now + LEASE_MS}
      WHERE ${deliveries.id} IN (
        SELECT ${other.id} FROM ${deliveries} AS ${other} WHERE ${isDue} ORDER BY ${other.id} LIMIT ${capacity}
      ) AND ${sent} <= ${SHARE - capacity} AND ${endpointIs(id, isActive)}`,
    sql`SELECT ${columns()} AS snapshot FROM ${deliveries}
      JOIN ${endpoints} ON ${endpoints.id} = ${deliveries.endpointId}
      JOIN ${events} ON ${events.sequence} = ${deliveries.sequence}
      WHERE ${deliveries.endpointId} = ${id} AND ${deliveries.state} = 'sending' AND ${deliveries.lease} = ${run}
      ORDER BY ${deliveries.id}`,
  ]);
  return (results[3]?.rows ?? []).map(({ snapshot }) => ({
    ...JSON.parse(String(snapshot)),
    run,
    at: ctx.now,
  }));
}
