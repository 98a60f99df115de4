import * as z from "zod";
import { searchText } from "#shared/fields/text.ts";
import { status } from "../statuses/statuses.ts";
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
      .array(status.schema.pick({ slug: true, name: true, category: true, position: true, is_default: true }))
      .meta({ description: "The company's own statuses, in the order of its board." }),
    milestone_statuses: named(MILESTONE_STATUSES),
    iteration_types: z.array(z.enum(ITERATION_TYPES)),
  })
  .meta({ id: "ProjectsMeta" });

export const AssigneeQuery = z.object({
  q: searchText.optional().describe("Part of the name or the employee code; case is ignored."),
});

export type AssigneeQuery = z.infer<typeof AssigneeQuery>;
