import * as z from "zod";
import { isoDate } from "#shared/dates.ts";
import { idReference, recordId } from "#shared/ids.ts";
import { patchOf } from "#shared/patch.ts";
import { booleanParameter, integerParameter, numberParameter } from "#shared/query.ts";
import { cleanMultilineText, cleanText } from "#shared/text.ts";

const fields = z.object({
  name: cleanText({ min: 1, max: 255 }),
  type: cleanText({ min: 1, max: 50 }).meta({ description: "Such as test_centre, pickup_point or office." }),
  city: cleanText({ max: 100 }).nullable(),
  state: cleanText({ max: 100 }).nullable(),
  postcode: cleanText({ max: 10 }).nullable(),
  latitude: z.number().min(-90).max(90).nullable(),
  longitude: z.number().min(-180).max(180).nullable(),
  operating_hours: cleanMultilineText({ max: 500 }).nullable(),
  is_active: z.boolean().meta({ description: "Only active locations are shown for booking." }),
});

export const LocationCreate = fields.partial().required({ name: true, type: true });
export const LocationPatch = patchOf(fields);
export const RecordParams = z.object({ id: recordId });

/** A location as a booking page sees it. */
export const Location = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  postcode: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  operating_hours: z.string().nullable(),
});
/** A location as its company sees it. */
export const LocationSettings = Location.extend({
  is_active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export const DeletedRecord = z.object({ id: z.int(), deleted: z.literal(true) });

export const timestamp = z.string().meta({ format: "date-time" });
export const TRANSMISSIONS = ["auto", "manual", "both"] as const;
export const FIELD_TYPES = ["text", "number", "boolean", "select", "multiselect", "date"] as const;
/** What `cf` takes beside the instructor fields. */
export const BUILT_IN_KEYS = ["transmission", "gender", "nationality", "language", "car"] as const;
export const duration = { min: 15, max: 480 };
const localTime = z.string().meta({ description: "`HH:MM` in `timezone`." });
const timezone = z.string().meta({ description: "IANA name of the zone that the school's times are in." });
const durationParameter = integerParameter(duration.min, duration.max)
  .optional()
  .meta({ description: "Length of the lesson in minutes; by default that of a slot." });
const instructorId = idReference.meta({ description: "The instructor's id." });

export const InstructorQuery = z
  .looseObject({
    lat: numberParameter(-90, 90)
      .optional()
      .meta({ description: "With `lng`: who serves this place, nearest first." }),
    lng: numberParameter(-180, 180).optional(),
    postcode: cleanText({ min: 1, max: 10 }).optional(),
    suburb: cleanText({ min: 1, max: 100 })
      .optional()
      .meta({ description: "In any case; a state may follow, as in `Burwood, NSW`." }),
    location_id: idReference.optional().meta({ description: "Who teaches from this location." }),
    transmission: z.enum(TRANSMISSIONS).optional(),
    gender: cleanText({ min: 1, max: 50 }).optional(),
    language: cleanText({ min: 1, max: 50 }).optional(),
    nationality: cleanText({ min: 1, max: 100 }).optional(),
    car: cleanText({ min: 1, max: 100 })
      .optional()
      .meta({ description: "Part of the car's make and model." }),
    available_date: isoDate
      .optional()
      .meta({ description: "Only instructors with a free slot on this date." }),
    time_of_day: z
      .enum(["morning", "afternoon", "evening"])
      .optional()
      .meta({ description: "Narrows `available_date`: before 12:00, before 17:00, from 17:00." }),
    with_next: booleanParameter.optional().meta({ description: "Adds `next_available`." }),
    duration_minutes: durationParameter.meta({
      description:
        "Length of the lesson that `available_date` and `with_next` look for; by default that of a slot.",
    }),
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

const ServiceArea = z.object({
  suburb: z.string().nullable(),
  postcode: z.string().nullable(),
  state: z.string().nullable(),
  radius_km: z.number().nullable(),
});
const NextAvailable = z.object({ date: z.string(), start: localTime, end: localTime, timezone });
export const Instructor = z
  .object({
    id: z.int(),
    name: z.string(),
    gender: z.string().nullable(),
    languages: z.array(z.string()),
    transmission: z.enum(TRANSMISSIONS),
    bio: z.string().nullable(),
    photo_url: z.string().nullable(),
    service_areas: z.array(ServiceArea),
    distance_km: z
      .number()
      .optional()
      .meta({ description: "To the nearest area; only with `lat` and `lng`." }),
    next_available: NextAvailable.nullable()
      .optional()
      .meta({ description: "The first free slot; only with `with_next`." }),
  })
  .meta({ id: "Instructor" });

export const CourseQuery = z.object({
  transmission: z.enum(["auto", "manual"]).optional(),
  type: z.enum(["lesson", "package"]).optional(),
});
export const Course = z
  .object({
    id: z.int(),
    name: z.string(),
    price: z.number().meta({ description: "With its tax: what a booking costs." }),
    currency: z.string(),
    duration_minutes: z.int(),
    transmission: z.enum(["auto", "manual"]),
    is_package: z.boolean(),
    sessions: z.int().nullable().meta({ description: "Lessons in a package." }),
    product_type: z.string(),
  })
  .meta({ id: "Course" });

export const AvailabilityQuery = z.object({
  instructor_id: instructorId,
  date: isoDate,
  duration_minutes: durationParameter,
});
export const Availability = z
  .object({
    success: z.literal(true),
    available: z.boolean(),
    reason: z.string().nullable().meta({
      description:
        "Why not: past_date, outside_advance_window, closed, not_working, duration_too_long, minimum_notice or fully_booked.",
    }),
    message: z.string().nullable().meta({ description: "The reason in English." }),
    slots: z.array(z.object({ start: localTime, end: localTime })),
    date: z.string(),
    timezone,
    duration_minutes: z.int(),
  })
  .meta({ id: "Availability" });

const MOST_DAYS = 31;
export const DatesQuery = z
  .object({
    instructor_id: instructorId,
    from: isoDate,
    to: isoDate.meta({ description: `At most ${MOST_DAYS} days in all.` }),
    duration_minutes: durationParameter,
  })
  .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < MOST_DAYS * 86_400_000, {
    path: ["to"],
    error: `must be from 0 to ${MOST_DAYS - 1} days after from`,
  });
export const Dates = z.object({
  success: z.literal(true),
  dates: z.array(z.object({ date: z.string(), available: z.boolean(), first_start: localTime.nullable() })),
  timezone,
});

export const InstructorField = z.object({
  key: z.string().meta({ description: "Used as `cf[key]`." }),
  label: z.string(),
  type: z.enum(FIELD_TYPES),
  options: z.array(z.string()).nullable(),
});

export type LocationCreate = z.infer<typeof LocationCreate>;
export type LocationPatch = z.infer<typeof LocationPatch>;
export type RecordParams = z.infer<typeof RecordParams>;
export type InstructorQuery = z.infer<typeof InstructorQuery>;
export type CourseQuery = z.infer<typeof CourseQuery>;
export type AvailabilityQuery = z.infer<typeof AvailabilityQuery>;
export type DatesQuery = z.infer<typeof DatesQuery>;
