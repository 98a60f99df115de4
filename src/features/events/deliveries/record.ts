import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Ctx } from "#core/context.ts";
import { added, dateTime, from, idText, internal } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { events } from "#tables/core";
import { eventAttempts as attempts, eventDeliveries as deliveries } from "#tables/events";
import { type EventRow, eventColumns, type Resources, renderEvent } from "../events.ts";
import { Event } from "../schema.ts";
import { DELIVERY_STATES } from "./schema.ts";
import { FIXED_HEADERS } from "./send.ts";

type Due = { state: string; due_at: number };

/** A delivery with what identifies its event. */
const delivery = record(deliveries, {
  id: idText,
  event_id: from(events.id, z.string().meta({ description: "Also the `webhook-id` of every request." })),
  event_type: from(events.type, z.string()),
  event_created_at: from(sql<number>`coalesce(${events.at}, 0)`, dateTime),
  sequence: z.int().describe("Place of the event among the company's: the higher is the later."),
  redelivery: from(
    deliveries.ordinal,
    z.int().describe("0 for the first delivery; 1, 2 and so on for each replay that a caller requested."),
  ),
  state: z.enum(DELIVERY_STATES).meta({
    description:
      "`held`: it waits, because the endpoint fails and another event is tried first, or because the endpoint is disabled. `failed`: ten attempts failed. `skipped`: it will not be sent.",
  }),
  attempt_count: from(deliveries.attempts, z.int().describe("How often it was sent so far.")),
  due_at: internal<number>(),
  next_attempt_at: added(
    dateTime.schema
      .nullable()
      .meta({ description: "The time of the next attempt of a pending delivery. Null: it goes at once." }),
    ({ state, due_at: due }: Due, { now }: Pick<Ctx, "now">) =>
      state === "pending" && due > now ? timestampToWire(due) : null,
  ),
});
export const EventDelivery = delivery.schema.meta({ id: "EventDelivery" });
export const renderDelivery = delivery.render;
export type DeliveryRow = RowOf<typeof delivery>;

/** What became of one sending. */
export const attempt = record(
  attempts,
  {
    n: z.int().describe("1 for the first attempt."),
    at: dateTime,
    status: z.int().nullable().meta({ description: "The HTTP status of the answer. Null: no answer came." }),
    duration_ms: z.int(),
    error: z.enum(["timeout", "connection", "tls", "redirect", "refused_address", "status"]).nullable().meta({
      description:
        "Null after a 2xx answer within 15 seconds. With `refused_address`, the API sent no request.",
    }),
    response_excerpt: z.string().meta({ description: "The first 1,000 characters of the answer." }),
  },
  "EventAttempt",
);
export type AttemptRow = RowOf<typeof attempt>;

export const DeliveryDetail = delivery.schema
  .extend({
    attempts: z.array(attempt.schema),
    request: z.object({
      headers: z
        .record(z.string(), z.string())
        .meta({ description: "The headers of the last attempt, without the value of the signature." }),
      body: Event,
    }),
  })
  .meta({ id: "EventDeliveryDetail" });
/** A delivery with its attempts, the oldest first, and its event. */
export type DetailRow = DeliveryRow & { attempts: AttemptRow[]; event: EventRow };

/** The SELECT of deliveries with their events. */
export function selectDeliveries(tail: SQL): SQL<DeliveryRow> {
  return sql`SELECT ${delivery.columns()} AS snapshot FROM ${deliveries}
    CROSS JOIN ${events} ON ${events.sequence} = ${deliveries.sequence} WHERE ${tail}`;
}

export function selectDetail(tail: SQL): SQL<DetailRow> {
  return sql`SELECT json_set(${delivery.columns()}, '$.event', json(${eventColumns()}), '$.attempts', (
      SELECT json_group_array(json(made)) FROM (SELECT ${attempt.columns()} AS made FROM ${attempts}
        WHERE ${attempts.deliveryId} = ${deliveries.id} ORDER BY ${attempts.n})
    )) AS snapshot FROM ${deliveries} CROSS JOIN ${events} ON ${events.sequence} = ${deliveries.sequence} WHERE ${tail}`;
}

export async function renderDetail(
  { attempts: made, event, ...row }: DetailRow,
  ctx: Ctx,
  resources: Resources,
) {
  const last = made.at(-1);
  const sent = last === undefined ? {} : { "webhook-timestamp": String(Math.floor(last.at / 1_000)) };
  return {
    ...delivery.render(row, ctx),
    attempts: made.map((one) => attempt.render(one)),
    request: {
      headers: { ...FIXED_HEADERS, "webhook-id": row.event_id, ...sent, "webhook-signature": "v1,..." },
      body: await renderEvent(event, ctx, resources),
    },
  };
}
