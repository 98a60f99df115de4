import { and, eq, gt, lte, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { CallCtx, UnattendedCtx } from "#platform/context.ts";
import { jsonObject, once } from "#platform/sql/json.ts";
import { unattended } from "#platform/write/atomic.ts";
import { events } from "#platform/write/tables.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { type AddressedEndpoint, addressedEndpoint } from "../endpoints/addressed.ts";
import { eventEndpoints as endpoints } from "../endpoints/tables.ts";
import { type EventRow, eventColumns } from "../events.ts";
import { eventDeliveries as deliveries } from "./tables.ts";

// Longer than all that a delivery may take: its name, its request, and the database's retries.
const LEASE_MS = MINUTE_MS;
// The queue and this clock may differ a little.
const SKEW_MS = 2_000;
// Of one endpoint at the same time: one that is slow leaves the connections of a call to others.
const SHARE = 4;

const sending = alias(deliveries, "sending");

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
 * Takes a delivery for a minute, where its time has come, its event is stamped, and its endpoint is active and has room;
 * undefined otherwise. Whoever gives the room back finds what it was refused to. The claim carries this run's name, so a
 * retry after a lost answer still owns it, and counts no second attempt.
 */
export async function claimDelivery(ctx: CallCtx & UnattendedCtx, id: number): Promise<Claimed | undefined> {
  const run = ctx.call.id;
  const { state, claim, claimUntil, dueAt, endpointId, sequence } = deliveries;
  const isOurs = and(eq(state, "sending"), eq(claim, run));
  const isDue = and(eq(state, "pending"), lte(dueAt, ctx.now + SKEW_MS));
  const isLapsed = and(eq(state, "sending"), lte(claimUntil, ctx.now));
  const isSent = gt(sending.claimUntil, ctx.now);
  const hasRoom = sql`(SELECT count(*) FROM ${deliveries} AS ${sending}
    WHERE ${sending.endpointId} = ${endpointId} AND ${sending.state} = 'sending' AND ${isSent}) < ${SHARE}`;
  const isActive = sql`EXISTS (SELECT 1 FROM ${endpoints}
    WHERE ${endpoints.id} = ${endpointId} AND ${endpoints.disabledReason} IS NULL)`;
  const isStamped = sql`EXISTS (SELECT 1 FROM ${events}
    WHERE ${events.sequence} = ${sequence} AND ${events.requestId} IS NOT NULL)`;
  const results = await unattended(ctx, [
    ctx.db
      .update(deliveries)
      .set({
        attempts: sql`${deliveries.attempts} + (${claim} IS NOT ${run})`,
        state: "sending",
        claim: run,
        claimUntil: ctx.now + LEASE_MS,
        lookAt: ctx.now + LEASE_MS,
        requeues: 0,
        turnedAway: 0,
      })
      .where(and(eq(deliveries.id, id), or(isOurs, and(or(isDue, isLapsed), isActive, isStamped, hasRoom)))),
    ctx.db
      .update(deliveries)
      .set({ turnedAway: 1 })
      .where(and(eq(deliveries.id, id), isDue, isActive)),
    sql`SELECT ${columns()} AS snapshot FROM ${deliveries}
      JOIN ${endpoints} ON ${endpoints.id} = ${endpointId} JOIN ${events} ON ${events.sequence} = ${sequence}
      WHERE ${deliveries.id} = ${id} AND ${isOurs}`,
  ]);
  const snapshot = results[2]?.rows[0]?.snapshot;
  return snapshot === undefined ? undefined : { ...JSON.parse(String(snapshot)), run, at: ctx.now };
}
