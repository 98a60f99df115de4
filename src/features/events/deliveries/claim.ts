import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { CallCtx, UnattendedCtx } from "#platform/context.ts";
import { jsonObject, jsonQuery, once, parseRows } from "#platform/sql/json.ts";
import { unattended } from "#platform/write/atomic.ts";
import { events } from "#platform/write/tables.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { type AddressedEndpoint, addressedEndpoint } from "../endpoints/addressed.ts";
import { eventEndpoints as endpoints } from "../endpoints/tables.ts";
import { type EventRow, eventColumns } from "../events.ts";
import { eventDeliveries as deliveries } from "./tables.ts";
import { endpointIs, isActive } from "./waiting.ts";

// Longer than all that a delivery may take: its name, its request, and the database's retries.
const LEASE_MS = MINUTE_MS;
// The queue and this clock may differ a little.
const SKEW_MS = 2_000;
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

/** A delivery that is ours to make: with its event, and its endpoint. `run` names the claim, `at` is when it began. */
export type Claimed = {
  id: number;
  run: string;
  at: number;
  /** This one included. */
  attempts: number;
  endpoint: AddressedEndpoint;
  event: EventRow;
};

/**
 * Takes the oldest deliveries to an endpoint for a minute, as many as it has room for: those whose time has come and whose
 * event is stamped, where it is active. A job that comes in vain costs one read. The claim carries this run's name, so a
 * retry after a lost answer still owns what it has, and counts no second attempt.
 */
export async function claimDeliveries(ctx: CallCtx & UnattendedCtx, endpoint: number): Promise<Claimed[]> {
  const run = ctx.call.id;
  const id = sql`${endpoint}`;
  const sent = sql`(SELECT count(*) FROM ${deliveries} AS ${other}
    WHERE ${other.endpointId} = ${id} AND ${other.state} = 'sending' AND ${other.claimUntil} > ${ctx.now})`;
  const isLapsed = sql`${other.endpointId} = ${id} AND ${other.state} = 'sending' AND ${other.claimUntil} <= ${ctx.now}`;
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
  const room = SHARE - (found?.sent ?? SHARE);
  if (found?.waits !== 1 || room <= 0) return [];
  const results = await unattended(ctx, [
    sql`UPDATE ${deliveries} SET state = 'pending', claim = NULL, claim_until = 0
      WHERE ${deliveries.id} IN (SELECT ${other.id} FROM ${deliveries} AS ${other} WHERE ${isLapsed})`,
    // Where another run took the room meanwhile, it finds what this one came for.
    sql`UPDATE ${deliveries} SET attempts = attempts + 1, state = 'sending', claim = ${run},
        claim_until = ${ctx.now + LEASE_MS}, look_at = ${ctx.now + LEASE_MS}
      WHERE ${deliveries.id} IN (
        SELECT ${other.id} FROM ${deliveries} AS ${other} WHERE ${isDue} ORDER BY ${other.id} LIMIT ${room}
      ) AND ${sent} <= ${SHARE - room} AND ${endpointIs(id, isActive)}`,
    sql`SELECT ${columns()} AS snapshot FROM ${deliveries}
      JOIN ${endpoints} ON ${endpoints.id} = ${deliveries.endpointId}
      JOIN ${events} ON ${events.sequence} = ${deliveries.sequence}
      WHERE ${deliveries.endpointId} = ${id} AND ${deliveries.state} = 'sending' AND ${deliveries.claim} = ${run}
      ORDER BY ${deliveries.id}`,
  ]);
  return (results[2]?.rows ?? []).map(({ snapshot }) => ({
    ...JSON.parse(String(snapshot)),
    run,
    at: ctx.now,
  }));
}
