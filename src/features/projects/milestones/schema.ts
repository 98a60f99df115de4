import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { isoDate } from "#shared/time/dates.ts";
import { MILESTONE_STATUSES } from "../vocabulary.ts";

const fields = z.object({
  name: cleanText({ min: 1, max: 255 }),
  description: cleanMultilineText({ max: 20_000 }).nullable(),
  start_date: isoDate.nullable(),
  due_date: isoDate.nullable(),
  status: z.enum(MILESTONE_STATUSES),
  completed_date: isoDate
    .nullable()
    .meta({ description: "Only if the status is completed. Default: today." }),
});

export const MilestoneCreate = fields.partial().required({ name: true });
export const MilestonePatch = patchOf(fields);
export const Milestone = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    start_date: z.string().nullable(),
    due_date: z.string().nullable(),
    status: z.enum(MILESTONE_STATUSES).meta({ description: "The status as set." }),
    completed_date: z.string().nullable(),
    is_overdue: z
      .boolean()
      .meta({ description: "Not completed, and due before today in the company's time zone." }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Milestone" });

export type MilestoneCreate = z.infer<typeof MilestoneCreate>;
export type MilestonePatch = z.infer<typeof MilestonePatch>;
