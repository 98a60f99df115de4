import { type SQL, sql } from "drizzle-orm";
import type { Result } from "#core/database/database.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { NOTICED } from "#shared/resource-names.ts";
import { events, operations } from "#tables/core";
import { companyToday } from "../calendar.ts";
import type { Changes, EventSource, Moment, SystemWriteCtx } from "../context.ts";
import { eventSources } from "./event-sources.ts";

/** What changes no record that events report. */
export const NO_CHANGES: Changes = { names: [] };

/** For a batch that changes no record that events report: it ends without a stamp. */
export function withoutEvents(ctx: SystemWriteCtx): SystemWriteCtx {
  return { ...ctx, changes: NO_CHANGES };
}

/**
 * For a batch whose events of the kind that it answers with are all of the record that it answers with: the stamp takes
 * their snapshots from there alone. An event of another record would have shape 0, which tests take for a fault. `names`
 * are the kinds of which it leaves events, in a list that all such calls share.
 */
export function ofOwnRecord<Of extends SystemWriteCtx>(ctx: Of, names = ctx.changes.names): Of {
  return { ...ctx, changes: { ...ctx.changes, names, isOwnOnly: true } };
}

/** For a batch that leaves events that no rule of notifications names, though its kinds have others. */
export function withoutNotices<Of extends SystemWriteCtx>(ctx: Of): Of {
  return { ...ctx, changes: { ...ctx.changes, isUnnoticed: true } };
}

/** For a batch that leaves events of these kinds alone, of those that its operation may; `names` as above. */
export function withEventsOf<Of extends SystemWriteCtx>(ctx: Of, names: Changes["names"]): Of {
  return { ...ctx, changes: { ...ctx.changes, names } };
}

type Values = { now: number; today: string; actor: string; requestId: string; idempotencyRecordKey: string };
type Stamp = (values: Values) => SQL;

type Kind = { render: unknown; isOwnOnly: boolean; isUnnoticed: boolean };

// By the list of what may change, which every call of an operation shares.
const kept: WeakMap<Changes["names"], (Kind & { stamp: Stamp })[]> = new WeakMap();

/**
 * The statement at the end of a batch: it gives the events that triggers wrote in it their time, who did it, and the record
 * as it is now, and finds what triggers made of them to be sent. `idempotencyRecordKey` is that of a call whose own snapshot stands by
 * then; without it every record is selected.
 */
export async function stampEvents(ctx: SystemWriteCtx, idempotencyRecordKey?: string): Promise<SQL[]> {
  const { changes } = ctx;
  if (changes.names.length === 0) return [];
  const { type, id, name } = ctx.actor;
  const stamp = await keptStamp(changes, idempotencyRecordKey === undefined ? undefined : changes.render);
  const actor = JSON.stringify({ type, id, name });
  const { now, requestId } = ctx;
  return [
    stamp({
      now,
      today: companyToday(ctx),
      actor,
      requestId,
      idempotencyRecordKey: idempotencyRecordKey ?? "",
    }),
  ];
}

async function keptStamp(
  { names, isOwnOnly = false, isUnnoticed = false }: Changes,
  render: unknown,
): Promise<Stamp> {
  const stamps = kept.get(names) ?? [];
  kept.set(names, stamps);
  const known = stamps.find(
    (one) => one.render === render && one.isOwnOnly === isOwnOnly && one.isUnnoticed === isUnnoticed,
  );
  if (known !== undefined) return known.stamp;
  const sources = await eventSources(names);
  const kind = { render, isOwnOnly, isUnnoticed: isUnnoticed || !names.some((name) => NOTICED.has(name)) };
  const stamp: Stamp = keptStatement((given) => buildStamp(sources, kind, given));
  stamps.push({ render, isOwnOnly, isUnnoticed, stamp });
  return stamp;
}

// A stamp without notifications leaves what a fault left unstamped, and a rule names, to the clock.
function buildStamp(
  sources: readonly EventSource[],
  { render, isOwnOnly, isUnnoticed }: Kind,
  { now, today, actor, requestId, idempotencyRecordKey }: Given<Values>,
): SQL {
  const moment: Moment = { now, today };
  const copied = sources.find(({ renderedBy }) => renderedBy.has(render));
  const own = (value: SQL) => sql`(SELECT ${value} FROM ${operations}
    WHERE ${operations.idempotencyRecordKey} = ${idempotencyRecordKey} AND ${operations.snapshot} ->> '$.id' = ${events.recordId})`;
  const selects = sources.map((source) => {
    const copy = own(sql`${operations.snapshot}`);
    const select = () => sql`(${source.select(moment, sql`${events.recordId}`)})`;
    if (source !== copied) return when(source, select());
    return when(source, isOwnOnly ? copy : sql`coalesce(${copy}, ${select()})`);
  });
  const shapes = sources.map((source) => {
    const shape = sql.raw(String(source.shape));
    return when(source, source === copied && isOwnOnly ? sql`coalesce(${own(shape)}, 0)` : shape);
  });
  return sql`UPDATE ${events} SET at = ${now}, actor = ${actor}, request_id = ${requestId},
    shape = CASE ${events.resource} ${sql.join(shapes, sql` `)} ELSE 0 END,
    snapshot = coalesce(${events.snapshot}, CASE ${events.resource} ${sql.join(selects, sql` `)} END)${isUnnoticed ? sql`` : sql`, is_notified = 1`}
    WHERE ${events.requestId} IS NULL${isUnnoticed ? sql` AND NOT ${events.isNoticed}` : sql``}
    RETURNING (SELECT json_group_array(endpoint_id) FROM event_fan_out WHERE sequence = ${events.sequence}) AS endpoints${isUnnoticed ? sql`` : isNotified()}`;
}

function isNotified(): SQL {
  return sql`, EXISTS (SELECT 1 FROM event_notified WHERE type = ${events.type}) AS notified`;
}

/** Queues what a committed batch, which ended with the stamp, is to be followed by; never waited for. */
export function queueStamped(ctx: SystemWriteCtx, stamp: readonly SQL[], results: readonly Result[]): void {
  const rows = stamp.length === 0 ? [] : (results.at(-1)?.rows ?? []);
  const endpoints = new Set(rows.flatMap(({ endpoints: ids }): number[] => JSON.parse(String(ids))));
  if (endpoints.size > 0) ctx.queueDeliveries([...endpoints]);
  if (rows.some(({ notified }) => notified === 1)) ctx.queueNotifications();
}

function when({ name }: EventSource, value: SQL): SQL {
  return sql`WHEN ${sql.raw(`'${name}'`)} THEN ${value}`;
}

/** The statement that clears the snapshots of records of one kind; `ids` is a SELECT of them, as text. */
export function forgetSnapshots(resource: string, ids: SQL): SQL {
  return sql`UPDATE ${events} SET snapshot = NULL WHERE ${events.resource} = ${resource}
    AND ${events.recordId} IN (${ids}) AND ${events.snapshot} IS NOT NULL`;
}

/** The statement that clears the snapshots of events; `sequences` is a SELECT of theirs. */
export function forgetEvents(sequences: SQL): SQL {
  return sql`UPDATE ${events} SET snapshot = NULL WHERE ${events.sequence} IN (${sequences})`;
}
