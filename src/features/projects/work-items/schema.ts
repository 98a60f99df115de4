import * as z from "zod";
import { externalIdFilter } from "#shared/fields/external-id.ts";
import { idReference } from "#shared/fields/ids.ts";
import { instant } from "#shared/fields/instant.ts";
import { quantity } from "#shared/fields/numbers.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { booleanParameter, wordsParameter } from "#shared/fields/query.ts";
import { cleanMultilineText, cleanText, pastedText, searchText } from "#shared/fields/text.ts";
import { isoDate } from "#shared/time/dates.ts";
import { readOnly } from "../schema.ts";
import { RANKS, STATE_CATEGORIES, WORK_ITEM_TYPES } from "../vocabulary.ts";

const HALF_POINT = 500;
const text = cleanMultilineText({ max: 20_000 }).nullable();
const hours = quantity({ min: 0, max: 100_000 }).nullable();

const fields = z.object({
  title: cleanText({ min: 1, max: 255 }),
  type: z.enum(WORK_ITEM_TYPES).meta({ description: "Default: task." }),
  description: text,
  priority: z.enum(RANKS).meta({ description: "Default: medium." }),
  severity: z.enum(RANKS).nullable().describe("How bad the bug is."),
  assigned_to: idReference.nullable().meta({ description: "An employee on the list of assignees." }),
  parent_id: idReference.nullable().meta({ description: "A work item of the same project, of any type." }),
  iteration_id: idReference.nullable().meta({ description: "An iteration of the same project." }),
  sprint_id: idReference.nullable().describe("A sprint of the same project that is not completed."),
  area_id: idReference.nullable().meta({ description: "An area of the same project." }),
  story_points: quantity({ min: 0, max: 1_000 })
    .refine((points) => points % HALF_POINT === 0, {
      params: { code: "invalid_step" },
      error: "must be a multiple of 0.5",
    })
    .nullable(),
  estimated_hours: hours,
  remaining_hours: hours,
  start_date: isoDate.nullable(),
  due_date: isoDate.nullable(),
  tags: z.array(cleanText({ min: 1, max: 50 })).max(20, "must have at most 20 tags"),
  as_a: text,
  i_want: text,
  so_that: text,
  acceptance_criteria: text,
  repro_steps: text,
});

const reference = readOnly("it is issued by the project");
const expectedVersion = z
  .int()
  .min(1)
  .optional()
  .meta({ description: "The `version` that you want to change. `If-Match` has the same effect." });

/** Where an item is to be: a configured status by its slug, or a state by its name. */
const State = z.object({
  status: cleanText({ min: 1, max: 100 })
    .optional()
    .meta({ description: "The slug of a configured status, instead of `state`." }),
  state: cleanText({ min: 1, max: 100 })
    .optional()
    .meta({ description: "The name of a configured status, or any name together with `state_category`." }),
  state_category: z.enum(STATE_CATEGORIES).optional(),
});
type State = z.infer<typeof State>;

function oneState(body: State, context: z.RefinementCtx): void {
  const refuse = (field: string, code: string, message: string) =>
    context.addIssue({ code: "custom", path: [field], params: { code }, message });
  if (body.status !== undefined && body.state !== undefined)
    refuse("state", "conflicting_fields", "cannot be sent together with status");
  else if (body.state_category !== undefined && body.state === undefined)
    refuse("state", "required", "is required with state_category");
}

export const WorkItemCreate = fields
  .partial()
  .required({ title: true })
  .extend({ ...State.shape, reference })
  .superRefine(oneState);
export const WorkItemPatch = patchOf(fields, { reference, expected_version: expectedVersion });
export const WorkItemTransition = z
  .object({
    ...State.shape,
    comment: pastedText({ max: 10_000 }).optional().describe("A text that is added to the item's comments."),
    expected_version: expectedVersion,
  })
  .superRefine(oneState)
  .refine((body) => [body.status, body.state, body.state_category].some((value) => value !== undefined), {
    params: { code: "required" },
    error: "Accepted fields: status, or state with state_category where the state is not configured",
  });

export const WorkItemQuery = z.object({
  external_id: externalIdFilter,
  type: wordsParameter(WORK_ITEM_TYPES)
    .optional()
    .meta({ description: `One or more of ${WORK_ITEM_TYPES.join(", ")}, separated by commas.` }),
  open_only: booleanParameter.optional().meta({ description: "Leaves out completed and removed items." }),
  assigned_to: idReference.optional().describe("The id of an employee."),
  state_category: z.enum(STATE_CATEGORIES).optional().describe("Which group of states it is in."),
  status: cleanText({ min: 1, max: 100 }).optional().meta({ description: "A status by its slug." }),
  iteration_id: idReference.optional(),
  sprint_id: idReference.optional(),
  area_id: idReference.optional(),
  area_subtree: booleanParameter.optional().meta({ description: "With `area_id`: also the areas below it." }),
  parent_id: idReference.optional(),
  q: searchText.optional().describe("Part of the reference or the title; case is ignored."),
  updated_since: instant.optional().meta({
    description: "Items changed at or after this time. The list is then in the order of the changes.",
  }),
});

export type TargetState = State;
export type WorkItemCreate = z.infer<typeof WorkItemCreate>;
export type WorkItemPatch = z.infer<typeof WorkItemPatch>;
export type WorkItemTransition = z.infer<typeof WorkItemTransition>;
export type WorkItemQuery = z.infer<typeof WorkItemQuery>;
