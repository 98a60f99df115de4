import * as z from "zod";
import { dateTime, described, flag, json, rendered } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { instructors } from "#tables/bookings";
import type { WeeklyWindow } from "../availability/slots.ts";
import { schoolTime } from "../schema.ts";

export const TRANSMISSIONS = ["auto", "manual", "both"] as const;

/** A place that an instructor serves; where it has coordinates, everything within its radius. */
export const ServiceArea = z.object({
  suburb: z.string().nullable(),
  postcode: z.string().nullable(),
  state: z.string().nullable(),
  radius_km: z.number().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
});
const CustomFields = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);
/** Minutes after midnight. */
export const schoolClock = rendered(schoolTime, clockTimeToWire);
const week = rendered(
  z.array(
    z.object({ weekday: z.int().describe("1 is Monday, 7 Sunday."), start: schoolTime, end: schoolTime }),
  ),
  (windows: WeeklyWindow[]) =>
    windows.map(({ weekday, start, end }) => ({
      weekday,
      start: schoolClock.render(start),
      end: schoolClock.render(end),
    })),
);

/** An instructor as their company sees them. */
export const instructor = record(
  instructors,
  {
    id: z.int(),
    name: z.string(),
    email: z.string().nullable().describe("For the school alone."),
    phone: z.string().nullable().describe("For the school alone."),
    gender: z.string().nullable(),
    nationality: z.string().nullable(),
    languages: json(z.array(z.string()).describe("Those that the instructor speaks.")),
    transmission: z.enum(TRANSMISSIONS),
    car_make: z.string().nullable(),
    car_model: z.string().nullable(),
    bio: z.string().nullable().describe("What learners read about the instructor."),
    photo_url: z.string().nullable(),
    service_areas: json(z.array(ServiceArea).describe("Where the instructor gives lessons.")),
    location_ids: json(z.array(z.int()).describe("Locations that the instructor teaches from.")),
    custom_fields: json(CustomFields.describe("Values of the instructor fields, by their keys.")),
    schedule: json(described(week, "The working week. A day can have several windows.")),
    is_active: flag,
    created_at: dateTime,
    updated_at: dateTime,
  },
  "InstructorSettings",
);
export type ServiceArea = z.infer<typeof ServiceArea>;
export type CustomFields = z.infer<typeof CustomFields>;
export type InstructorRow = RowOf<typeof instructor>;
