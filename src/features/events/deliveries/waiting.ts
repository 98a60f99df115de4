import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#core/context.ts";
import { eventDeliveries as deliveries, eventEndpoints as endpoints } from "#tables/events";
import { LEASE_MS, lookAt, SKEW_MS } from "./schedule.ts";

const RELEASED_AT_ONCE = 50;
const other = alias(deliveries, "other");

/** Whether an endpoint is one of these: its id, and what else of it counts. */
export function endpointIs(id: SQL, condition: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE ${endpoints.id} = ${id} AND ${condition})`;
}

export const isActive = sql`${endpoints.disabledReason} IS NULL`;
export const isDisabled = sql`${endpoints.disabledReason} IS NOT NULL`;
export const isFailing = sql`(${endpoints.disabledReason} IS NULL AND ${endpoints.failingSince} IS NOT NULL)`;
const isWell = sql`(${endpoints.disabledReason} IS NULL AND ${endpoints.failingSince} IS NULL)`;

/** The statement that skips what waited for an endpoint while it was disabled. */
export function skipHeld(ctx: ReadCtx, endpoint: number): SQL {
  return ctx.db
    .update(deliveries)
    .set({ state: "skipped" })
    .where(
      and(
        eq(deliveries.endpointId, endpoint),
        eq(deliveries.state, "held"),
        endpointIs(sql`${endpoint}`, isDisabled),
      ),
    )
    .getSQL();
}

/** The statement that lets all wait that is to be sent to an endpoint, where it fails or is disabled. */
export function holdAll(ctx: ReadCtx, endpoint: SQL): SQL {
  return ctx.db
    .update(deliveries)
    .set({
      state: "held",
      dueAt: sql`coalesce(${deliveries.ownDueAt}, ${deliveries.dueAt})`,
      ownDueAt: null,
    })
    .where(
      and(
        sql`${deliveries.endpointId} = ${endpoint}`,
        eq(deliveries.state, "pending"),
        endpointIs(endpoint, sql`(${isDisabled} OR ${isFailing})`),
      ),
    )
    .getSQL();
}

/**
 * The statements that let the oldest that wait for an endpoint go, where it works and nothing older of it is still to go:
 * its next try, at its own time, and fifty more. They give ids and times; at `lookAt` the clock checks whether
 * a job took them up.
 */
export function releaseHeld(ctx: ReadCtx, endpoint: SQL, lookAt = ctx.now): SQL[] {
  const held = sql`${other.endpointId} = ${endpoint} AND ${other.state} = 'held'`;
  const isOlderToGo = sql`EXISTS (SELECT 1 FROM ${deliveries} AS ${other} WHERE ${other.endpointId} = ${endpoint}
    AND ${other.state} = 'pending' AND ${other.dueAt} <= ${ctx.now}
    AND ${other.id} < (SELECT min(${other.id}) FROM ${deliveries} AS ${other} WHERE ${held}))`;
  return [
    sql`UPDATE ${deliveries} INDEXED BY event_deliveries_probe
      SET due_at = own_due_at, look_at = max(own_due_at, ${lookAt}), own_due_at = NULL
      WHERE ${deliveries.endpointId} = ${endpoint} AND ${deliveries.ownDueAt} IS NOT NULL AND ${endpointIs(endpoint, isWell)}
      RETURNING id, due_at`,
    sql`UPDATE ${deliveries} SET state = 'pending', look_at = max(${deliveries.dueAt}, ${lookAt})
      WHERE ${deliveries.id} IN (
        SELECT ${other.id} FROM ${deliveries} AS ${other} WHERE ${held} ORDER BY ${other.id} LIMIT ${RELEASED_AT_ONCE}
      ) AND ${endpointIs(endpoint, isWell)} AND NOT ${isOlderToGo}
      RETURNING id, due_at`,
  ];
}

/**
 * The statement that chooses which one delivery of a failing endpoint is its next try, where none is chosen and none was
 * begun since that try is due; gives it. It is one that was tried least, so that an event which the endpoint never takes
 * does not keep the others from it.
 */
export function chooseProbe(ctx: ReadCtx, endpoint: SQL): SQL {
  const probeAt = sql`(SELECT ${endpoints.probeAt} FROM ${endpoints} WHERE ${endpoints.id} = ${endpoint})`;
  const due = sql`max(${ctx.now}, ${probeAt})`;
  return sql`UPDATE ${deliveries} SET state = 'pending', own_due_at = due_at, due_at = ${due}, look_at = ${lookAt(ctx, due)}
    WHERE ${deliveries.id} = (
      SELECT ${other.id} FROM ${deliveries} AS ${other} WHERE ${other.endpointId} = ${endpoint} AND ${other.state} = 'held'
        AND ${endpointIs(endpoint, isFailing)}
      ORDER BY ${other.attempts}, ${other.id} LIMIT 1
    ) AND NOT EXISTS (
      SELECT 1 FROM ${deliveries} AS ${other} WHERE ${other.endpointId} = ${endpoint} AND (${other.state} = 'pending'
        OR (${other.state} = 'sending' AND ${other.leasedUntil} > ${probeAt} + ${LEASE_MS - SKEW_MS}))
    )
    RETURNING id, due_at`;
}
