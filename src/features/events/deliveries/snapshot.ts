import { type SQL, sql } from "drizzle-orm";
import type { Resource } from "#api/operations/resource.ts";
import type { Ctx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { events } from "#core/write/tables.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { type EventRow, eventColumns, renderEvent } from "../events.ts";
import { type AttemptError, FIXED_HEADERS } from "./send.ts";
import { eventAttempts as attempts, eventDeliveries as deliveries } from "./tables.ts";

const shape = {
  id: deliveries.id,
  event_id: events.id,
  event_type: events.type,
  at: sql<number>`coalesce(${events.at}, 0)`,
  sequence: deliveries.sequence,
  redelivery: deliveries.ordinal,
  state: deliveries.state,
  attempt_count: deliveries.attempts,
  due_at: deliveries.dueAt,
};
/** A delivery as the database holds it. */
export type DeliveryRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** The SELECT of deliveries with their events. */
export function selectDeliveries(tail: SQL): SQL<DeliveryRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${deliveries}
    CROSS JOIN ${events} ON ${events.sequence} = ${deliveries.sequence} WHERE ${tail}`;
}

/** What became of one sending. */
export type AttemptRow = {
  n: number;
  at: number;
  status: number | null;
  duration_ms: number;
  error: AttemptError | null;
  response_excerpt: string;
};

/** A delivery with its attempts, the oldest first, and its event. */
export type DetailRow = DeliveryRow & { attempts: AttemptRow[]; event: EventRow };

export function selectDetail(tail: SQL): SQL<DetailRow> {
  const attempt = jsonObject({
    n: attempts.n,
    at: attempts.at,
    status: attempts.status,
    duration_ms: attempts.durationMs,
    error: attempts.error,
    response_excerpt: attempts.responseExcerpt,
  });
  return sql`SELECT json_set(${columns()}, '$.event', json(${eventColumns()}), '$.attempts', (
      SELECT json_group_array(json(made)) FROM (SELECT ${attempt} AS made FROM ${attempts}
        WHERE ${attempts.deliveryId} = ${deliveries.id} ORDER BY ${attempts.n})
    )) AS snapshot FROM ${deliveries} CROSS JOIN ${events} ON ${events.sequence} = ${deliveries.sequence} WHERE ${tail}`;
}

export function renderDelivery({ at, due_at, ...row }: DeliveryRow, { now }: Pick<Ctx, "now">) {
  return {
    ...row,
    id: String(row.id),
    event_created_at: timestampToWire(at),
    next_attempt_at: row.state === "pending" && due_at > now ? timestampToWire(due_at) : null,
  };
}

export function renderAttempt({ at, ...row }: AttemptRow) {
  return { ...row, at: timestampToWire(at) };
}

export async function renderDetail(
  { attempts: made, event, ...row }: DetailRow,
  ctx: Ctx,
  resources: ReadonlyMap<string, Resource>,
) {
  const last = made.at(-1);
  const sent = last === undefined ? {} : { "webhook-timestamp": String(Math.floor(last.at / 1_000)) };
  return {
    ...renderDelivery(row, ctx),
    attempts: made.map(renderAttempt),
    request: {
      headers: { ...FIXED_HEADERS, "webhook-id": row.event_id, ...sent, "webhook-signature": "v1,..." },
      body: await renderEvent(event, ctx, resources),
    },
  };
}
