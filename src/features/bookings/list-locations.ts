import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { type LocationRow, selectLocations } from "./snapshot.ts";
import { locations } from "./tables.ts";

/** The active locations, by name. */
export async function listLocations(ctx: Ctx): Promise<LocationRow[]> {
  const tail = sql`${locations.isActive} = 1 ORDER BY ${locations.name}, ${locations.id}`;
  const [rows] = await read(ctx, [jsonQuery(ctx, selectLocations(tail))]);
  return parseRows(rows);
}
