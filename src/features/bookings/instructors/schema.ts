import * as z from "zod";
import { clockTime } from "#shared/clock-time.ts";
import { isoDate } from "#shared/dates.ts";
import { idReference, recordId } from "#shared/ids.ts";
import { patchOf } from "#shared/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/text.ts";
import { TRANSMISSIONS, timestamp } from "../schema.ts";

const MOST_WINDOWS = 100;
const isWindow = ({ start, end }: { start: number; end: number }) => start < end;
const localTime = z.string().meta({ description: "`HH:MM` in the school's zone." });

const weeklyWindow = z
  .object({
    weekday: z.int().min(1).max(7).meta({ description: "1 is Monday, 7 Sunday." }),
    start: clockTime,
    end: clockTime,
  })
  .refine(isWindow, { path: ["end"], error: "must be after start" });
const schedule = z
  .array(weeklyWindow)
  .max(MOST_WINDOWS)
  .refine(
    (windows) => {
      const sorted = windows.toSorted((one, other) => one.weekday - other.weekday || one.start - other.start);
      return sorted.every(({ weekday, start }, index) => {
        const before = sorted[index - 1];
        return before === undefined || before.weekday !== weekday || before.end <= start;
      });
    },
    { error: "must not overlap on a day" },
  )
  .meta({ description: "The working week; several windows a day are fine." });

const coordinate = (limit: number) => z.number().min(-limit).max(limit).nullable().default(null);
const serviceArea = z
  .object({
    suburb: cleanText({ min: 1, max: 100 }).nullable().default(null),
    postcode: cleanText({ min: 1, max: 10 }).nullable().default(null),
    state: cleanText({ max: 100 }).nullable().default(null),
    radius_km: z.number().min(0.1).max(1_000).nullable().default(null),
    latitude: coordinate(90),
    longitude: coordinate(180),
  })
  .refine(({ latitude, longitude }) => (latitude === null) === (longitude === null), {
    path: ["latitude"],
    error: "and longitude are sent together",
  });

const word = cleanText({ min: 1, max: 100 });
const instructor = z.object({
  name: cleanText({ min: 1, max: 255 }),
  gender: cleanText({ max: 50 }).nullable(),
  nationality: cleanText({ max: 100 }).nullable(),
  languages: z.array(word).max(50),
  transmission: z.enum(TRANSMISSIONS),
  car_make: cleanText({ max: 100 }).nullable(),
  car_model: cleanText({ max: 100 }).nullable(),
  bio: cleanMultilineText({ max: 5_000 }).nullable(),
  photo_url: z
    .url({ protocol: /^https$/, error: "must be an https address" })
    .max(500)
    .nullable(),
  service_areas: z
    .array(serviceArea)
    .max(50)
    .meta({ description: "By suburb or postcode; by distance where there are coordinates." }),
  location_ids: z
    .array(idReference)
    .max(50)
    .meta({ description: "Locations that this instructor teaches from." }),
  custom_fields: z
    .record(
      cleanText({ min: 1, max: 64 }),
      z.union([z.string().max(500), z.number(), z.boolean(), z.array(word).max(50)]),
    )
    .meta({ description: "Values by the keys of the instructor fields." }),
  is_active: z.boolean().meta({ description: "Only active instructors can be booked." }),
});
export const InstructorCreate = instructor
  .extend({ schedule })
  .partial()
  .required({ name: true, transmission: true });
export const InstructorPatch = patchOf(instructor);
export const SchedulePut = z.object({ schedule });
/** What an answer adds where lessons to come are hit: the school tells its learners. */
const affected = {
  warnings: z
    .array(z.enum(["bookings_affected"]))
    .optional()
    .meta({ description: "Set where lessons to come are hit; none of them is cancelled by it." }),
  affected_count: z.int().optional(),
  affected_bookings: z
    .array(
      z.object({
        id: z.string(),
        booking_number: z.string(),
        start_at: timestamp,
        customer: z.object({
          id: z.string(),
          name: z.string(),
          email: z.string().nullable(),
          phone: z.string().nullable(),
        }),
      }),
    )
    .optional()
    .meta({ description: "The first hundred of them." }),
};
export const InstructorSettings = z
  .object({
    id: z.int(),
    name: z.string(),
    gender: z.string().nullable(),
    nationality: z.string().nullable(),
    languages: z.array(z.string()),
    transmission: z.enum(TRANSMISSIONS),
    car_make: z.string().nullable(),
    car_model: z.string().nullable(),
    bio: z.string().nullable(),
    photo_url: z.string().nullable(),
    service_areas: z.array(
      z.object({
        suburb: z.string().nullable(),
        postcode: z.string().nullable(),
        state: z.string().nullable(),
        radius_km: z.number().nullable(),
        latitude: z.number().nullable(),
        longitude: z.number().nullable(),
      }),
    ),
    location_ids: z.array(z.int()),
    custom_fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
    schedule: z.array(z.object({ weekday: z.int(), start: localTime, end: localTime })),
    is_active: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "InstructorSettings" });
export const ChangedInstructor = InstructorSettings.extend(affected).meta({ id: "ChangedInstructor" });

const override = z.object({
  date: isoDate,
  is_available: z.boolean().meta({
    description: "True: works then, in place of the week. False: does not; without times, all day.",
  }),
  start: clockTime.nullable().default(null),
  end: clockTime.nullable().default(null),
  note: cleanText({ max: 255 }).nullable().default(null),
});
export const OverrideCreate = override
  .refine(({ start, end }) => (start === null) === (end === null), {
    path: ["end"],
    error: "and start are sent together",
  })
  .refine(({ start, end }) => start === null || end === null || start < end, {
    path: ["end"],
    error: "must be after start",
  })
  .refine(({ is_available: available, start }) => !available || start !== null, {
    path: ["start"],
    error: "is required where the instructor is available",
  });
export const OverrideParams = z.object({ id: recordId, override_id: recordId });
export const Override = z.object({
  id: z.int(),
  instructor_id: z.int(),
  date: z.string(),
  is_available: z.boolean(),
  start: localTime.nullable(),
  end: localTime.nullable(),
  note: z.string().nullable(),
  created_at: timestamp,
});
export const NewOverride = Override.extend(affected);

export type InstructorCreate = z.infer<typeof InstructorCreate>;
export type InstructorPatch = z.infer<typeof InstructorPatch>;
export type SchedulePut = z.infer<typeof SchedulePut>;
export type OverrideCreate = z.infer<typeof OverrideCreate>;
export type OverrideParams = z.infer<typeof OverrideParams>;
