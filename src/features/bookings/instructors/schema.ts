import * as z from "zod";
import { emailAddress } from "#shared/contact/email-address.ts";
import { clockTime, endTime } from "#shared/fields/clock-time.ts";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { booleanParameter, numberParameter } from "#shared/fields/query.ts";
import { cleanMultilineText, cleanText, phoneText, postalCode } from "#shared/fields/text.ts";
import { isoDate } from "#shared/time/dates.ts";
import { durationParameter, localTime, timezone } from "../schema.ts";
import { instructor, ServiceArea, TRANSMISSIONS } from "./record.ts";

export const InstructorQuery = z
  .looseObject({
    lat: numberParameter(-90, 90)
      .optional()
      .meta({ description: "With `lng`: instructors who serve this place, nearest first." }),
    lng: numberParameter(-180, 180).optional().describe("Degrees east; together with `lat`."),
    postcode: postalCode({ min: 1, max: 10 }).optional(),
    suburb: cleanText({ min: 1, max: 100 })
      .optional()
      .meta({ description: "Upper and lower case are equal. A state may follow, as in `Burwood, NSW`." }),
    location_id: idReference.optional(),
    transmission: z.enum(TRANSMISSIONS).optional(),
    gender: cleanText({ min: 1, max: 50 }).optional(),
    language: cleanText({ min: 1, max: 50 }).optional().describe("One that the instructor speaks."),
    nationality: cleanText({ min: 1, max: 100 }).optional(),
    car: cleanText({ min: 1, max: 100 }).optional().describe("Part of the car's make and model."),
    available_date: isoDate.optional().describe("Only instructors with a free slot on this date."),
    time_of_day: z
      .enum(["morning", "afternoon", "evening"])
      .optional()
      .meta({ description: "The part of `available_date`: before 12:00, before 17:00, or from 17:00." }),
    with_next: booleanParameter.optional().meta({ description: "Adds `next_available` to each instructor." }),
    duration_minutes: durationParameter.describe(
      "The length of the lesson that `available_date` and `with_next` look for. Default: the slot length.",
    ),
    cf: z
      .unknown()
      .optional()
      .refine((value) => value === undefined, { error: "is written as cf[key]=value" })
      .meta({
        type: "object",
        additionalProperties: { type: "string" },
        style: "deepObject",
        description:
          "Custom fields, as in `cf[transmission]=auto`: keys of the instructor fields, or transmission, gender, nationality, language, car.",
      }),
  })
  .refine(({ lat, lng }) => (lat === undefined) === (lng === undefined), {
    path: ["lat"],
    error: "and lng are sent together",
  });

const NextAvailable = z.object({ date: z.string(), start: localTime, end: localTime, timezone });
export const Instructor = instructor
  .pick("id", "name", "gender", "languages", "transmission", "bio", "photo_url", "service_areas")
  .schema.extend({
    service_areas: z.array(ServiceArea.omit({ latitude: true, longitude: true })),
    distance_km: z
      .number()
      .optional()
      .meta({ description: "The distance to the nearest area. Only with `lat` and `lng`." }),
    next_available: NextAvailable.nullable()
      .optional()
      .meta({ description: "The first free slot; only with `with_next`." }),
  })
  .meta({ id: "Instructor" });

const MOST_WINDOWS = 100;

const isWindow = ({ start, end }: { start: number; end: number }) => start < end;

const weeklyWindow = z
  .object({
    weekday: z.int().min(1).max(7).meta({ description: "1 is Monday, 7 Sunday." }),
    start: clockTime,
    end: endTime.meta({ description: "`24:00` is the end of the day." }),
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
  .meta({ description: "The working week. A day can have several windows." });

const coordinate = (limit: number) => z.number().min(-limit).max(limit).nullable().default(null);
const serviceArea = z
  .object({
    suburb: cleanText({ min: 1, max: 100 }).nullable().default(null),
    postcode: postalCode({ min: 1, max: 10 }).nullable().default(null),
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
const sent = z.object({
  name: cleanText({ min: 1, max: 255 }),
  email: emailAddress.nullable().meta({ description: "For the school alone: visitors never see it." }),
  phone: phoneText({ max: 30 }).nullable().describe("For the school alone: visitors never see it."),
  gender: cleanText({ max: 50 }).nullable(),
  nationality: cleanText({ max: 100 }).nullable(),
  languages: z.array(word).max(50).describe("Those that the instructor speaks."),
  transmission: z.enum(TRANSMISSIONS),
  car_make: cleanText({ max: 100 }).nullable(),
  car_model: cleanText({ max: 100 }).nullable(),
  bio: cleanMultilineText({ max: 5_000 }).nullable().describe("What learners read about the instructor."),
  photo_url: z
    .url({ protocol: /^https$/, error: "must be an https address" })
    .max(500)
    .nullable()
    .describe("An https address."),
  service_areas: z
    .array(serviceArea)
    .max(50)
    .meta({ description: "By suburb or postcode, or by distance if there are coordinates." }),
  location_ids: z.array(idReference).max(50).describe("Locations that this instructor teaches from."),
  custom_fields: z
    .record(
      cleanText({ min: 1, max: 64 }),
      z.union([z.string().max(500), z.number(), z.boolean(), z.array(word).max(50)]),
    )
    .meta({ description: "Values by the keys of the instructor fields." }),
  is_active: z.boolean().meta({ description: "Only active instructors can be booked." }),
});
export const InstructorCreate = sent
  .extend({ schedule })
  .partial()
  .required({ name: true, transmission: true });
export const InstructorPatch = patchOf(sent);
export const SchedulePut = z.object({ schedule });
export type InstructorCreate = z.infer<typeof InstructorCreate>;
export type InstructorPatch = z.infer<typeof InstructorPatch>;
export type SchedulePut = z.infer<typeof SchedulePut>;
export type InstructorQuery = z.infer<typeof InstructorQuery>;
