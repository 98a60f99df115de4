import { and, eq, gte, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { Resource } from "#api/operations/resource.ts";
import { dayStart } from "#core/calendar.ts";
import type { CallCtx, Ctx, OutsideCtx, ReadCtx } from "#core/context.ts";
import { logFault } from "#core/log.ts";
import { requireScope } from "#core/required-scope.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { equalTo } from "#core/sql/narrowed.ts";
import { readAll, readList, readOne } from "#core/sql/read-records.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import { addDays, timestampToWire } from "#shared/time/dates.ts";
import { API_VERSION } from "#shared/version.ts";
import { events } from "#tables/core";
import { eventTypesWanted } from "#tables/events";
import type { EventParams, EventQuery, EventTypeEntry } from "./schema.ts";
import { EVENT_TYPES, type EventTypeName, TYPE_NAMES } from "./types.ts";

/** How large an event's record may be to be shown in it. */
export const MOST_BYTES = 256_000;

const { sequence, type, resource: kind, recordId, at } = events;
const shape = {
  id: events.id,
  sequence,
  type,
  resource: kind,
  record_id: recordId,
  at: sql<number>`${at}`,
  previous: sql<Record<string, unknown> | null>`json(${events.previous})`,
  related: sql<Record<string, unknown> | null>`json(${events.related})`,
  actor: sql<{ type: string; id: string; name: string } | null>`json(${events.actor})`,
  request_id: sql<string>`${events.requestId}`,
  shape: sql<number>`${events.shape}`,
  // Literal text, because once() takes no bound values.
  snapshot: sql<unknown>`json(iif(octet_length(${events.snapshot}) > ${sql.raw(String(MOST_BYTES))}, NULL, ${events.snapshot}))`,
};
/** All kinds of records that have events, by their names. */
export type Resources = ReadonlyMap<string, Resource>;
/** An event as the database holds it. */
export type EventRow = JsonRow<typeof shape>;
/** An event as one JSON text: what `renderEvent` renders. */
export const eventColumns = once(() => jsonObject(shape));

function selectEvents(tail: SQL): SQL<EventRow> {
  return sql`SELECT ${eventColumns()} AS snapshot FROM ${events} WHERE ${tail}`;
}

/** Whether the caller may read events of a kind of record. */
export type MayRead = (ctx: OutsideCtx, resource: string) => boolean;

/** The events that the caller may read, newest first: those of records that it may read. */
export async function listEvents(
  ctx: CallCtx & OutsideCtx,
  query: EventQuery & { page: Page },
  mayRead: MayRead,
): Promise<Listed<EventRow>> {
  const { page, type: types, resource, record_id: record } = query;
  if (record !== undefined && resource === undefined)
    throw fieldProblem("resource", "required", "is required beside record_id");
  const filters = and(
    equalTo(events, query, "resource", "record_id"),
    ofTypes(readableTypes(ctx, types, mayRead), record !== undefined),
    happenedOn(ctx, query),
    isNotNull(events.requestId),
  );
  const tail = sql`${filters} AND ${sequence} < ${idBelow(page)} ORDER BY ${sequence} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectEvents(tail));
}

/** The events of some days of the company, the last included. Throws 422 for days that are out of order. */
export function happenedOn(
  { company: { timezone } }: ReadCtx,
  { from, to }: Pick<EventQuery, "from" | "to">,
): SQL | undefined {
  if (from !== undefined && to !== undefined && to < from)
    throw fieldProblem("to", "dates_out_of_order", "must not be before from");
  return and(
    from === undefined ? undefined : gte(at, dayStart(from, timezone)),
    to === undefined ? undefined : lt(at, dayStart(addDays(to, 1), timezone)),
  );
}

/** The types that the caller may read, of those that it asks for or of all. */
export function readableTypes(
  ctx: OutsideCtx,
  types: readonly EventTypeName[] = TYPE_NAMES,
  mayRead: MayRead,
): EventTypeName[] {
  return types.filter((name) => mayRead(ctx, EVENT_TYPES[name].resource));
}

/** One type goes by its index; several, or those of one record, are looked for among the events as they come. */
export function ofTypes(types: readonly string[], ofRecord: boolean): SQL | undefined {
  const [only] = types;
  if (only !== undefined && types.length === 1 && !ofRecord) return eq(type, only);
  if (types.length === TYPE_NAMES.length) return undefined;
  return sql`+${type} IN (SELECT value FROM json_each(${JSON.stringify(types)}))`;
}

/** One event. 403 where the caller may not read its record. */
export async function getEvent(
  ctx: CallCtx & OutsideCtx,
  { id }: EventParams,
  resources: Resources,
): Promise<EventRow> {
  const row = await readOne(ctx, selectEvents(sql`${events.id} = ${id} AND ${events.requestId} IS NOT NULL`));
  requireReadable(ctx, row, resources);
  return row;
}

/** 403 if the caller may not read the record of an event. */
export function requireReadable(
  ctx: OutsideCtx,
  row: Pick<EventRow, "resource">,
  resources: Resources,
): void {
  const scope = resources.get(row.resource)?.scope;
  if (scope !== undefined) requireScope(ctx, scope);
}

/** All types of events, and whether each is recorded now. `scopeOf` gives the scope that reads a kind of record. */
export async function listEventTypes(
  ctx: CallCtx,
  scopeOf: (resource: string) => string,
): Promise<EventTypeEntry[]> {
  const wanted = await readAll(
    ctx,
    sql<{
      type: string;
    }>`SELECT json_object('type', ${eventTypesWanted.type}) AS snapshot FROM ${eventTypesWanted}`,
  );
  return TYPE_NAMES.map((name) => {
    const { description, resource } = EVENT_TYPES[name];
    const isOnDemand = "onDemand" in EVENT_TYPES[name];
    const isRecorded = !isOnDemand || wanted.some((one) => one.type === name);
    return {
      type: name,
      description,
      resource,
      scope: scopeOf(resource),
      on_demand: isOnDemand,
      recorded: isRecorded,
    };
  });
}

/** An event with its record as it was then; with the record's id alone where its snapshot is gone, or too large. */
export async function renderEvent(row: EventRow, ctx: Ctx, resources: Resources) {
  const data = await recordOf(row, ctx, resources.get(row.resource));
  return {
    id: row.id,
    type: row.type,
    sequence: row.sequence,
    created_at: timestampToWire(row.at),
    company: ctx.company.slug,
    api_version: API_VERSION,
    actor: row.actor,
    request_id: row.request_id,
    data: data ?? { id: wireId(row, resources.get(row.resource)) },
    previous: row.previous,
    related: row.related,
    data_omitted: data === undefined,
  };
}

async function recordOf(
  row: EventRow,
  ctx: Ctx,
  resource: Resource | undefined,
): Promise<Record<string, unknown> | undefined> {
  if (resource === undefined || row.snapshot === null) return undefined;
  try {
    const rendered = await resource.renderShape(row.snapshot, row.shape, { ...ctx, now: row.at });
    const record = resource.record.parse(rendered) as Record<string, unknown>;
    return JSON.stringify(record).length > MOST_BYTES ? undefined : record;
  } catch (error) {
    logFault("event_record", error, `event ${row.id}`);
    return undefined;
  }
}

/** The id as the record's reads have it. */
function wireId({ record_id: id }: EventRow, resource: Resource | undefined): string | number {
  const isText =
    resource?.record.safeParse({ id }).error?.issues.every(({ path }) => path[0] !== "id") ?? true;
  return isText ? id : Number(id);
}
