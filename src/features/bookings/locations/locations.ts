import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { flag, instant } from "#core/sql/fields.ts";
import { readAll } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { locations } from "#tables/bookings";

/** A location as its company sees it. */
export const locationSettings = record(
  locations,
  {
    id: z.int(),
    name: z.string(),
    type: z.string(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    postcode: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    operating_hours: z.string().nullable(),
    is_active: flag,
    created_at: instant,
    updated_at: instant,
  },
  "LocationSettings",
);
/** A location as a booking page sees it. */
export const location = locationSettings.omit("is_active", "created_at", "updated_at");
export type LocationRow = RowOf<typeof location>;

export const locationRoutes = new Router("Bookings", "/locations").all({ listLocations }, "/", {
  summary: "List locations",
  description: "The active ones, by name.",
  keys: "any",
  record: { schema: location.schema.meta({ id: "Location" }), render: location.render },
  envelope: { success: "locations" },
  cacheControl: "private, max-age=60",
});

/** The active locations, by name. */
async function listLocations(ctx: CallCtx): Promise<LocationRow[]> {
  return readAll(ctx, selectActiveLocations());
}

/** The SELECT of the active locations, by name. */
export function selectActiveLocations(): SQL<LocationRow> {
  return location.select(sql`${locations.isActive} = 1 ORDER BY ${locations.name}, ${locations.id}`);
}
