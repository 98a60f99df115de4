import { eq, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { API_VERSION } from "#shared/version.ts";
import { eventEndpoints as endpoints } from "#tables/events";
import { countSuccess } from "../deliveries/judge.ts";
import type { AttemptRow } from "../deliveries/record.ts";
import type { EndpointTest } from "../deliveries/schema.ts";
import { sendEvent } from "../deliveries/send.ts";
import { isFailing, releaseHeld } from "../deliveries/waiting.ts";
import { type AddressedEndpoint, addressedEndpoint } from "./addressed.ts";

type Tested = AttemptRow & { id: number };

/**
 * Sends an example of a type, or `test.ping`, and waits for the answer. No event is written. A success ends the failing of
 * an endpoint, as that of any event does; else nothing of it changes, and one that is disabled is asked too: that is when
 * its owner wants to know.
 */
export async function testEndpoint(
  ctx: Ctx,
  { id }: RecordParams,
  { type = "test.ping" }: EndpointTest,
): Promise<Tested> {
  const here = eq(endpoints.id, id);
  const { endpoint } = await readOne(
    ctx,
    sql<{ endpoint: AddressedEndpoint }>`SELECT json_object('endpoint', ${addressedEndpoint()}) AS snapshot
      FROM ${endpoints} WHERE ${here}`,
  );
  const event = await exampleEvent(ctx, type);
  const { status, error, durationMs, excerpt } = await sendEvent(ctx, {
    ...{ endpoint, id: event.id },
    body: JSON.stringify(event),
  });
  const attempt: Tested = {
    ...{ id, n: 1, at: ctx.now, status, error },
    ...{ duration_ms: durationMs, response_excerpt: excerpt },
  };
  const snapshot = sql<Tested>`SELECT ${JSON.stringify(attempt)} FROM ${endpoints} WHERE ${here}`;
  if (error !== null) return atomic(ctx, [], snapshot);
  const endpointId = sql`${id}`;
  const ended = [countSuccess(ctx, endpointId, isFailing), ...releaseHeld(ctx, endpointId)];
  const tested = await atomic(ctx, ended, snapshot);
  ctx.queueDeliveries([Number(id)]);
  return tested;
}

/** An event as receivers get it, of which nothing is true: its `sequence` is 0, and its id says that it is a test. */
async function exampleEvent(ctx: Ctx, type: string) {
  const { data = { id: "1" } } = (await ctx.services.exampleEvent(type)) ?? {};
  return {
    id: `evt_test_${ctx.newId()}`,
    type,
    sequence: 0,
    created_at: timestampToWire(ctx.now),
    company: ctx.company.slug,
    api_version: API_VERSION,
    actor: { type: ctx.actor.type, id: ctx.actor.id, name: ctx.actor.name },
    request_id: ctx.requestId,
    data,
    previous: null,
    related: null,
    data_omitted: false,
  };
}
