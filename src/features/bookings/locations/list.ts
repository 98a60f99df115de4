import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { readAll } from "#platform/sql/read-records.ts";
import { type LocationRow, selectLocations } from "./snapshot.ts";
import { locations } from "./tables.ts";

/** The active locations, by name. */
export async function listLocations(ctx: CallCtx): Promise<LocationRow[]> {
  return readAll(ctx, selectActiveLocations());
}

/** The SELECT of the active locations, by name. */
export function selectActiveLocations(): SQL<LocationRow> {
  return selectLocations(sql`${locations.isActive} = 1 ORDER BY ${locations.name}, ${locations.id}`);
}
