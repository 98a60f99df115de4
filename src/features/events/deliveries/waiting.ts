import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#platform/context.ts";
import { eventEndpoints as endpoints } from "../endpoints/tables.ts";
import { eventDeliveries as deliveries } from "./tables.ts";

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
    .set({ state: "held" })
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
 * The statement that lets the oldest that wait for an endpoint go, where it works and nothing else of it goes now. Gives
 * their ids; the clock looks at `lookAt` whether somebody took them up.
 */
export function releaseHeld(ctx: ReadCtx, endpoint: SQL, lookAt = ctx.now): SQL {
  return sql`UPDATE ${deliveries} SET state = 'pending', look_at = max(${deliveries.dueAt}, ${lookAt})
    WHERE ${deliveries.id} IN (
      SELECT ${other.id} FROM ${deliveries} AS ${other} WHERE ${other.endpointId} = ${endpoint} AND ${other.state} = 'held'
      ORDER BY ${other.id} LIMIT ${RELEASED_AT_ONCE}
    ) AND ${endpointIs(endpoint, isWell)} AND NOT ${goesNow(ctx, endpoint)}
    RETURNING id, due_at`;
}

/** The statement that chooses which one delivery of a failing endpoint is tried next, and when; gives it. */
export function chooseProbe(endpoint: SQL, due: SQL, lookAt: SQL): SQL {
  return sql`UPDATE ${deliveries} SET state = 'pending', due_at = ${due}, look_at = ${lookAt}
    WHERE ${deliveries.id} = (
      SELECT ${other.id} FROM ${deliveries} AS ${other} WHERE ${other.endpointId} = ${endpoint} AND ${other.state} = 'held'
      ORDER BY ${other.attempts}, ${other.id} LIMIT 1
    ) AND ${endpointIs(endpoint, isFailing)} AND NOT EXISTS (
      SELECT 1 FROM ${deliveries} AS ${other}
      WHERE ${other.endpointId} = ${endpoint} AND ${other.state} IN ('pending', 'sending')
    )
    RETURNING id, due_at`;
}

function goesNow({ now }: ReadCtx, endpoint: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${deliveries} AS ${other} WHERE ${other.endpointId} = ${endpoint}
    AND (${other.state} = 'sending' OR (${other.state} = 'pending' AND ${other.dueAt} <= ${now})))`;
}
