import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { workItems } from "../tables.ts";

/** When a change of an item counts: now, or with the change before it where the clocks of two calls disagree. */
export function changeTime(ctx: Ctx): SQL<number> {
  return sql`max(${ctx.now}, ${workItems.updatedAt})`;
}

/** What every change of an item sets. */
export function touched(ctx: Ctx) {
  return { version: sql<number>`${workItems.version} + 1`, updatedAt: changeTime(ctx) };
}
