import * as z from "zod";
import { integerParameter } from "#shared/fields/query.ts";

/** The shortest and the longest lesson, in minutes. */
export const duration = { min: 15, max: 480 };
export const schoolTime = z.string().meta({ description: "`HH:MM` in the school's zone." });
export const localTime = z.string().meta({ description: "`HH:MM` in `timezone`." });
export const timezone = z.string().meta({ description: "IANA name of the school's time zone." });
export const durationParameter = integerParameter(duration.min, duration.max)
  .optional()
  .meta({ description: "The length of the lesson in minutes. Default: the slot length." });
