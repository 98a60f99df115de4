import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { isoDate } from "#shared/time/dates.ts";

const UNITS = ["points", "items"] as const;

const sent = z.object({
  name: cleanText({ min: 1, max: 255 }),
  goal: cleanMultilineText({ max: 2_000 }).nullable(),
  iteration_id: idReference.nullable().meta({ description: "An iteration of the same project." }),
  start_date: isoDate.nullable(),
  end_date: isoDate.nullable().meta({ description: "At most a year after the start." }),
});

export const SprintCreate = sent.partial().required({ name: true });
export const SprintPatch = patchOf(sent);
export const SprintComplete = z.object({
  move_open_to: idReference.nullable().default(null).meta({
    description: "The sprint that gets the open items. Null (default): they have no sprint.",
  }),
});
export const BurndownQuery = z.object({
  unit: z.enum(UNITS).optional().meta({ description: "What is counted. Default: points." }),
});

export const Burndown = z
  .object({
    sprint_id: z.int(),
    unit: z.enum(UNITS),
    days: z
      .array(
        z.object({
          date: z.string(),
          remaining: z.number().nullable().meta({ description: "Scope that is not completed." }),
          completed: z.number().nullable(),
          scope: z.number().nullable(),
          ideal: z.number(),
        }),
      )
      .describe(
        "Each day of the sprint with its state at the day's end in the company's time zone; that of a future day is null. `ideal` is a straight line from the work left at the start to 0 on the end date.",
      ),
  })
  .meta({ id: "Burndown" });

export type SprintCreate = z.infer<typeof SprintCreate>;
export type SprintComplete = z.infer<typeof SprintComplete>;
export type BurndownQuery = z.infer<typeof BurndownQuery>;
export type Burndown = z.infer<typeof Burndown>;
