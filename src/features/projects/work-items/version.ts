import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { workItems } from "#tables/projects";

/** Aborts the batch when the item is not at the version that the change is meant for, where one is named. */
export function requireVersion(id: number, expected: number | undefined): SQL[] {
  if (expected === undefined) return [];
  const current = sql`SELECT ${workItems.version} FROM ${workItems} WHERE ${workItems.id} = ${id}`;
  return [refuseWhen(sql`(${current}) <> ${expected}`, "version_conflict")];
}

/** The time of a change: now, but never before the previous change, whose clock may have been ahead. */
export function changeTime(ctx: ReadCtx): SQL<number> {
  return sql`max(${ctx.now}, ${workItems.updatedAt})`;
}

/** What every change of an item sets. */
export function touched(ctx: ReadCtx) {
  return { version: sql<number>`${workItems.version} + 1`, updatedAt: changeTime(ctx) };
}
