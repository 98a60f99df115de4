import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import type { WeeklyWindow } from "../availability/slots.ts";
import { instructors } from "./tables.ts";

/** A place that an instructor serves; where it has coordinates, everything within its radius. */
export type ServiceArea = {
  suburb: string | null;
  postcode: string | null;
  state: string | null;
  radius_km: number | null;
  latitude: number | null;
  longitude: number | null;
};
export type CustomFields = Record<string, string | number | boolean | string[]>;

const shape = {
  id: instructors.id,
  name: instructors.name,
  email: instructors.email,
  phone: instructors.phone,
  gender: instructors.gender,
  nationality: instructors.nationality,
  languages: sql<string[]>`json(${instructors.languages})`,
  transmission: instructors.transmission,
  car_make: instructors.carMake,
  car_model: instructors.carModel,
  bio: instructors.bio,
  photo_url: instructors.photoUrl,
  service_areas: sql<ServiceArea[]>`json(${instructors.serviceAreas})`,
  location_ids: sql<number[]>`json(${instructors.locationIds})`,
  custom_fields: sql<CustomFields>`json(${instructors.customFields})`,
  schedule: sql<WeeklyWindow[]>`json(${instructors.schedule})`,
  is_active: instructors.isActive,
  created_at: instructors.createdAt,
  updated_at: instructors.updatedAt,
};
/** An instructor as the database holds it. */
export type InstructorRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of instructors that are not deleted; `tail` goes on after WHERE. */
export function selectInstructors(tail: SQL): SQL<InstructorRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${instructors} WHERE ${instructors.deletedAt} IS NULL AND ${tail}`;
}

export function renderInstructorSettings(row: InstructorRow) {
  return {
    ...row,
    is_active: row.is_active === 1,
    schedule: row.schedule.map(({ weekday, start, end }) => ({
      weekday,
      start: clockTimeToWire(start),
      end: clockTimeToWire(end),
    })),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
