import { type SQL, sql } from "drizzle-orm";
import type { Changes, EventSource, UnattendedCtx } from "../context.ts";
import { events, operations } from "./tables.ts";

/** What changes no record that events tell of. */
export const NO_CHANGES: Changes = { sources: [], copied: undefined };

/**
 * The statement at the end of a batch: it gives the events that triggers wrote in it their time, who did it, and the record
 * as it is now. `memoryKey` is that of a call whose own snapshot stands by then; without it every record is selected.
 */
export function stampEvents(ctx: UnattendedCtx, memoryKey?: string): SQL[] {
  const { sources, copied } = ctx.changes;
  if (sources.length === 0) return [];
  const { type, id, name } = ctx.actor;
  const selects = sources.map((source) => {
    const select = sql`(${source.select(ctx, sql`${events.recordId}`)})`;
    return sql`WHEN ${quoted(source)} THEN ${source === copied && memoryKey !== undefined ? copyOr(select, memoryKey) : select}`;
  });
  const shapes = sources.map((source) => sql`WHEN ${quoted(source)} THEN ${sql.raw(String(source.shape))}`);
  return [
    sql`UPDATE ${events} SET at = ${ctx.now}, actor = ${JSON.stringify({ type, id, name })}, request_id = ${ctx.requestId},
      shape = CASE ${events.resource} ${sql.join(shapes, sql` `)} ELSE 0 END,
      snapshot = coalesce(${events.snapshot}, CASE ${events.resource} ${sql.join(selects, sql` `)} END)
      WHERE ${events.requestId} IS NULL`,
  ];
}

/** The call's own snapshot where it is of the event's record, or what `select` finds. */
function copyOr(select: SQL, memoryKey: string): SQL {
  return sql`coalesce((SELECT ${operations.snapshot} FROM ${operations} WHERE ${operations.memoryKey} = ${memoryKey}
    AND ${operations.snapshot} ->> '$.id' = ${events.recordId}), ${select})`;
}

function quoted({ name }: EventSource): SQL {
  return sql.raw(`'${name}'`);
}

/** The statement that forgets what events tell of records of one kind; `ids` is a SELECT of them, as text. */
export function forgetSnapshots(resource: string, ids: SQL): SQL {
  return sql`UPDATE ${events} SET snapshot = NULL WHERE ${events.resource} = ${resource}
    AND ${events.recordId} IN (${ids}) AND ${events.snapshot} IS NOT NULL`;
}
