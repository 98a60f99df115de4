import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { dayStart } from "#core/calendar.ts";
import type { CallCtx, OutsideCtx } from "#core/context.ts";
import { readListOf, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import { addDays } from "#shared/time/dates.ts";
import { events } from "#tables/core";
import { eventDeliveries as deliveries, eventEndpoints as endpoints } from "#tables/events";
import { type Resources, requireReadable } from "../events.ts";
import { type DeliveryRow, type DetailRow, selectDeliveries, selectDetail } from "./record.ts";
import type { DeliveryParams, DeliveryQuery } from "./schema.ts";

/** The deliveries to an endpoint, newest first. */
export async function listDeliveries(
  ctx: CallCtx,
  { id }: RecordParams,
  { state, type: types, from, to, page }: DeliveryQuery & { page: Page },
): Promise<Listed<DeliveryRow>> {
  if (from !== undefined && to !== undefined && to < from)
    throw fieldProblem("to", "dates_out_of_order", "must not be before from");
  const { timezone } = ctx.company;
  const filters = and(
    eq(deliveries.endpointId, id),
    lt(deliveries.id, idBelow(page)),
    state === undefined ? undefined : eq(deliveries.state, state),
    types === undefined ? undefined : among(types),
    from === undefined ? undefined : gte(events.at, dayStart(from, timezone)),
    to === undefined ? undefined : lt(events.at, dayStart(addDays(to, 1), timezone)),
  );
  const owner = sql`SELECT 1 FROM ${endpoints} WHERE ${endpoints.id} = ${id}`;
  const tail = sql`${filters} ORDER BY ${deliveries.id} DESC LIMIT ${page.take}`;
  return readListOf(ctx, owner, page, selectDeliveries(tail));
}

function among(types: readonly string[]): SQL {
  return sql`${events.type} IN (SELECT value FROM json_each(${JSON.stringify(types)}))`;
}

/** One delivery with what was sent and answered. 403 where the caller may not read the event's record: answers may repeat it. */
export async function getDelivery(
  ctx: CallCtx & OutsideCtx,
  resources: Resources,
  { id, delivery_id: delivery }: DeliveryParams,
): Promise<DetailRow> {
  const here = sql`${deliveries.id} = ${delivery} AND ${deliveries.endpointId} = ${id}
    AND EXISTS (SELECT 1 FROM ${endpoints} WHERE ${endpoints.id} = ${id}) AND ${events.requestId} IS NOT NULL`;
  const row = await readOne(ctx, selectDetail(here));
  requireReadable(ctx, row.event, resources);
  return row;
}
