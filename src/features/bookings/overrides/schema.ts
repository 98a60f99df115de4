import * as z from "zod";
import { clockTime } from "#shared/fields/clock-time.ts";
import { DeletedNumber, recordId } from "#shared/fields/ids.ts";
import { cleanText } from "#shared/fields/text.ts";
import { isoDate } from "#shared/time/dates.ts";
import { affectedLessons } from "../instructors/schema.ts";
import { schoolTime, timestamp } from "../schema.ts";

const override = z.object({
  date: isoDate,
  is_available: z.boolean().meta({
    description:
      "True: works at these times instead of the week's. False: does not work at these times; without times, all day.",
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
  start: schoolTime.nullable(),
  end: schoolTime.nullable(),
  note: z.string().nullable(),
  created_at: timestamp,
});
export const NewOverride = Override.extend(affectedLessons);

export const RemovedOverride = DeletedNumber.extend(affectedLessons);

export type OverrideCreate = z.infer<typeof OverrideCreate>;
export type OverrideParams = z.infer<typeof OverrideParams>;
