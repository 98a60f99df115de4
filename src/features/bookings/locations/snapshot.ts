import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { locations } from "./tables.ts";

const shape = {
  id: locations.id,
  name: locations.name,
  type: locations.type,
  city: locations.city,
  state: locations.state,
  postcode: locations.postcode,
  latitude: locations.latitude,
  longitude: locations.longitude,
  operating_hours: locations.operatingHours,
  is_active: locations.isActive,
  created_at: locations.createdAt,
  updated_at: locations.updatedAt,
};
export type LocationRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of locations that are not deleted; `tail` goes on after WHERE. */
export function selectLocations(tail: SQL): SQL<LocationRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${locations} WHERE ${locations.deletedAt} IS NULL AND ${tail}`;
}

export function renderLocation(row: LocationRow) {
  return {
    ...row,
    is_active: row.is_active === 1,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
