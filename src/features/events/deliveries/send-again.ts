import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { BackgroundCtx, Ctx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { deliverTask } from "#core/jobs.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { events } from "#tables/core";
import { eventDeliveries as deliveries, eventEndpoints as endpoints } from "#tables/events";
import { requireReadsOf, typesAsked } from "../endpoints/rights.ts";
import type { Resources } from "../events.ts";
import { TYPE_NAMES } from "../types.ts";
import { type DeliveryRow, selectDeliveries } from "./record.ts";
import { LATE_MS } from "./schedule.ts";
import type { DeliveryParams, Replay } from "./schema.ts";
import { endpointIs, isDisabled, isFailing } from "./waiting.ts";

const MOST_REPLAYED = 10_000;
const PER_SECOND = 50;

const earlier = alias(deliveries, "earlier");
const nextOrdinal = sql`(SELECT max(${earlier.ordinal}) + 1 FROM ${deliveries} AS ${earlier}
  WHERE ${earlier.sequence} = ${deliveries.sequence} AND ${earlier.endpointId} = ${deliveries.endpointId})`;
const ALWAYS = typesAsked("*");

/** Sends an event to an endpoint once more, at once, under the same id; also where the endpoint fails. */
export async function redeliver(
  ctx: WriteCtx & BackgroundCtx & OutsideCtx,
  resources: Resources,
  { id, delivery_id: delivery }: DeliveryParams,
): Promise<DeliveryRow> {
  await requireReadsOf(ctx, id, resources);
  const here = sql`${deliveries.id} = ${delivery} AND ${deliveries.endpointId} = ${id}`;
  const row = await atomic(
    ctx,
    [
      refuseWhen(endpointIs(sql`${id}`, isDisabled), "invalid_status"),
      sql`INSERT INTO ${deliveries} (sequence, endpoint_id, ordinal, look_at, lease)
        SELECT ${deliveries.sequence}, ${deliveries.endpointId}, ${nextOrdinal}, ${ctx.now + LATE_MS}, ${ctx.call.id}
        FROM ${deliveries} WHERE ${here} AND ${endpointIs(sql`${id}`, sql`1`)}`,
      refuseIfNone("not_found"),
    ],
    selectDeliveries(
      sql`${deliveries.lease} = ${ctx.call.id} AND ${deliveries.endpointId} = ${id} AND ${deliveries.state} = 'pending'`,
    ),
    { invalid_status: disabled },
  );
  ctx.queueDeliveries([Number(id)]);
  return row;
}

type Replayed = { id: number; queued: number; held: 0 | 1 };

/** Sends kept events to an endpoint, 50 each second: those that it has not taken, or all. */
export async function replay(
  ctx: Ctx,
  resources: Resources,
  { id }: RecordParams,
  body: Replay,
): Promise<Replayed> {
  await requireReadsOf(ctx, id, resources);
  const words = body.types?.flatMap(typesAsked);
  const [from, until] = [edge(body.since, ">=", ">="), edge(body.until, "<", "<=")];
  const theirs = sql`SELECT 1 FROM ${deliveries} WHERE ${deliveries.sequence} = ${events.sequence}
    AND ${deliveries.endpointId} = ${id} AND ${deliveries.state} IN ('delivered', 'pending', 'sending', 'held')`;
  const chosen = sql`${events} JOIN ${endpoints} ON ${endpoints.id} = ${id}
    WHERE ${events.requestId} IS NOT NULL AND ${from} AND ${until}
      AND ${events.type} IN (SELECT value FROM json_each(${JSON.stringify(words ?? TYPE_NAMES)}))
      AND EXISTS (SELECT 1 FROM json_each(${endpoints.types}) AS word WHERE word.value = ${events.type}
        OR word.value = substr(${events.type}, 1, instr(${events.type}, '.')) || '*'
        OR (word.value = '*' AND ${events.type} IN (SELECT value FROM json_each(${JSON.stringify(ALWAYS)}))))
      AND (${body.only_undelivered ? 0 : 1} OR NOT EXISTS (${theirs}))`;
  const second = sql`((row_number() OVER (ORDER BY ${events.sequence}) - 1) / ${PER_SECOND} * 1000)`;
  const mine = sql`${deliveries.endpointId} = ${id} AND ${deliveries.lease} = ${ctx.call.id}
    AND ${deliveries.state} IN ('pending', 'held')`;
  // It copies up to 10,000 rows: in a group it would keep the company's other writers waiting.
  const row = await atomic<Replayed>(
    { ...ctx, database: ctx.database.alone },
    [
      refuseWhen(sql`NOT ${endpointIs(sql`${id}`, sql`1`)}`, "not_found"),
      refuseWhen(endpointIs(sql`${id}`, isDisabled), "invalid_status"),
      refuseWhen(
        sql`(SELECT count(*) FROM (SELECT 1 FROM ${chosen} LIMIT ${MOST_REPLAYED + 1})) > ${MOST_REPLAYED}`,
        "replay_too_large",
      ),
      sql`INSERT INTO ${deliveries} (sequence, endpoint_id, ordinal, state, due_at, look_at, lease)
        SELECT ${events.sequence}, ${id}, coalesce((SELECT max(${deliveries.ordinal}) + 1 FROM ${deliveries}
            WHERE ${deliveries.sequence} = ${events.sequence} AND ${deliveries.endpointId} = ${id}), 0),
          iif(${isFailing}, 'held', 'pending'), ${ctx.now} + ${second}, ${ctx.now + LATE_MS} + ${second}, ${ctx.call.id}
        FROM ${chosen} ORDER BY ${events.sequence}`,
    ],
    sql`SELECT json_object('id', ${id}, 'queued', count(*),
      'held', coalesce(max(${deliveries.state} = 'held'), 0)) AS snapshot FROM ${deliveries} WHERE ${mine}`,
    { invalid_status: disabled },
  );
  if (row.held === 0) ctx.afterwards(queueSpaced(ctx, row));
  return row;
}

/** A job for each second. */
async function queueSpaced(ctx: BackgroundCtx, { id, queued }: Replayed): Promise<void> {
  for (let second = 0; second * PER_SECOND < queued; second += 1)
    await ctx.enqueue([deliverTask(id)], second);
}

function edge(bound: Replay["until"], ofTime: "<" | ">=", ofSequence: "<=" | ">="): SQL {
  if (bound === undefined) return sql`1`;
  return "at" in bound
    ? sql`${events.at} ${sql.raw(ofTime)} ${bound.at}`
    : sql`${events.sequence} ${sql.raw(ofSequence)} ${bound.sequence}`;
}

function disabled(): Problem {
  return new Problem("invalid_status", { message: "The endpoint is disabled: set is_active to true first" });
}
