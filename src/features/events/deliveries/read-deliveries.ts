import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import type { CallCtx, OutsideCtx } from "#core/context.ts";
import { equalTo } from "#core/sql/narrowed.ts";
import { readListOf, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { events } from "#tables/core";
import { eventDeliveries as deliveries, eventEndpoints as endpoints } from "#tables/events";
import { happenedOn, type Resources, requireReadable } from "../events.ts";
import { type DeliveryRow, type DetailRow, selectDeliveries, selectDetail } from "./record.ts";
import type { DeliveryParams, DeliveryQuery } from "./schema.ts";

/** The deliveries to an endpoint, newest first. */
export async function listDeliveries(
  ctx: CallCtx,
  { id }: RecordParams,
  { page, type: types, ...query }: DeliveryQuery & { page: Page },
): Promise<Listed<DeliveryRow>> {
  const filters = and(
    eq(deliveries.endpointId, id),
    lt(deliveries.id, idBelow(page)),
    equalTo(deliveries, query, "state"),
    types === undefined ? undefined : among(types),
    happenedOn(ctx, query),
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
