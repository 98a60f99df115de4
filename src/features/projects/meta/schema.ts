import * as z from "zod";
import { searchText } from "#shared/fields/text.ts";
import {
  ITERATION_TYPES,
  MILESTONE_STATUSES,
  RANKS,
  STATE_CATEGORIES,
  WORK_ITEM_TYPES,
} from "../vocabulary.ts";

const named = <Slug extends string>(slugs: readonly [Slug, ...Slug[]]) =>
  z.array(z.object({ slug: z.enum(slugs), name: z.string() }));
const ranked = z
  .array(z.object({ slug: z.enum(RANKS), name: z.string(), rank: z.int().describe("1 weighs most.") }))
  .meta({ description: "Rank 1 is the most urgent." });

export const Meta = z
  .object({
    work_item_types: named(WORK_ITEM_TYPES),
    priorities: ranked,
    severities: ranked,
    state_categories: named(STATE_CATEGORIES),
    statuses: z
      .array(
        z.object({
          slug: z.string().describe("What filters call it."),
          name: z.string(),
          category: z.enum(STATE_CATEGORIES),
          position: z.int(),
          is_default: z.boolean().describe("Whether it is taken where a call names none."),
        }),
      )
      .meta({ description: "The company's own statuses, in the order of its board." }),
    milestone_statuses: named(MILESTONE_STATUSES),
    iteration_types: z.array(z.enum(ITERATION_TYPES)),
  })
  .meta({ id: "ProjectsMeta" });

export const AssigneeQuery = z.object({
  q: searchText.optional().describe("Part of the name or the employee code. Upper and lower case are equal."),
});
export const Assignee = z
  .object({
    id: z.int(),
    name: z.string(),
    employee_code: z.string().nullable().describe("The company's own number for the employee."),
    designation: z.string().nullable().describe("The position in the company."),
  })
  .meta({ id: "Assignee" });

export type AssigneeQuery = z.infer<typeof AssigneeQuery>;
