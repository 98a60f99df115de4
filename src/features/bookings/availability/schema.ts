import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { booleanParameter } from "#shared/fields/query.ts";
import { isoDate } from "#shared/time/dates.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { durationParameter, localTime, timezone } from "../schema.ts";

const instructorId = idReference.meta({ description: "The instructor's id." });

const reason = z.string().nullable().meta({
  description:
    "Why no slot is free: past_date, outside_advance_window, closed, not_working, duration_too_long, minimum_notice or fully_booked.",
});
const slots = z.array(z.object({ start: localTime, end: localTime }));

export const AvailabilityQuery = z.object({
  instructor_id: instructorId,
  date: isoDate,
  duration_minutes: durationParameter,
});
export const Availability = z
  .object({
    success: z.literal(true),
    available: z.boolean(),
    reason,
    message: z.string().nullable().meta({ description: "The reason in English." }),
    slots,
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
    slots: booleanParameter
      .optional()
      .meta({ description: "Adds to each date its `slots` and its `reason`." }),
  })
  .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < MOST_DAYS * DAY_MS, {
    path: ["to"],
    error: `must be from 0 to ${MOST_DAYS - 1} days after from`,
  });
export const Dates = z.object({
  success: z.literal(true),
  dates: z.array(
    z.object({
      date: z.string(),
      available: z.boolean(),
      first_start: localTime.nullable(),
      slots: slots.optional().meta({ description: "Only with `slots`." }),
      reason: reason.optional(),
    }),
  ),
  timezone,
});

export type AvailabilityQuery = z.infer<typeof AvailabilityQuery>;
export type DatesQuery = z.infer<typeof DatesQuery>;
