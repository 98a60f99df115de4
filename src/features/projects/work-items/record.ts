import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import { externalIdField, withExternalId } from "#core/sql/external-id.ts";
import {
  added,
  described,
  from,
  instant,
  internal,
  json,
  nullable,
  rendered,
  thousandths,
} from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { employees } from "#tables/company";
import { statusHistory, workItemComments, workItems } from "#tables/projects";
import { RANKS, STATE_CATEGORIES, WORK_ITEM_TYPES } from "../vocabulary.ts";

const text = z.string().nullable();
const category = z.enum(STATE_CATEGORIES);
type Assigned = { assigned_to: number | null; assignee_name: string | null };
const keysAreNoUsers = added(z.null().meta({ description: "Keys are no users." }), () => null);

const statusChange = record(statusHistory, {
  id: z.int(),
  from_state: z.string(),
  from_category: category,
  to_state: z.string(),
  to_category: category,
  status: text.meta({ description: "The slug of the new state. Null if it is not configured." }),
  changed_at: instant,
  duration_seconds: z.int().meta({ description: "The time in the previous state." }),
  comment: from(
    sql<string | null>`(
      SELECT ${workItemComments.body} FROM ${workItemComments}
      WHERE ${workItemComments.id} = ${statusHistory.commentId} AND ${workItemComments.isInternal} = 0
    )`,
    text.describe("What was said with the change."),
  ),
  changed_by: keysAreNoUsers,
  key_name: z.string().describe("The key that made the change."),
});
const history = sql<RowOf<typeof statusChange>[]>`(
  SELECT json_group_array(${statusChange.columns()}) FROM (
    SELECT * FROM ${statusHistory} WHERE ${statusHistory.workItemId} = ${workItems.id} ORDER BY ${statusHistory.id}
  ) ${statusHistory}
)`;

/** A work item with its history, as of the time `now`, which `selectWorkItem` sets. */
export const workItemDetail = record(
  workItems,
  {
    id: z.int(),
    external_id: externalIdField("work_item", workItems.id),
    project_id: z.int(),
    reference: z.string().meta({ description: "Issued by the project, and never reused." }),
    number: z.int().describe("Within the project."),
    type: z.enum(WORK_ITEM_TYPES),
    title: z.string(),
    description: text,
    priority: z.enum(RANKS),
    severity: z.enum(RANKS).nullable().describe("How bad the bug is."),
    state: z.string().describe("The name of its status."),
    state_category: category,
    status: text.meta({ description: "Null if the state is not configured." }),
    assigned_to: z.int().nullable().describe("The id of the employee who works on it."),
    assignee_name: internal(sql<string | null>`${employees.name}`),
    assignee: added(
      z.object({ id: z.int(), name: z.string() }).nullable(),
      ({ assigned_to: id, assignee_name: name }: Assigned) => (id === null ? null : { id, name: name ?? "" }),
    ),
    parent_id: z.int().nullable(),
    iteration_id: z.int().nullable(),
    sprint_id: z.int().nullable(),
    area_id: z.int().nullable(),
    story_points: nullable(thousandths),
    estimated_hours: nullable(thousandths),
    remaining_hours: nullable(thousandths),
    start_date: text,
    due_date: text,
    tags: json(z.array(z.string())),
    as_a: text,
    i_want: text,
    so_that: text,
    acceptance_criteria: text,
    repro_steps: text,
    created_at: instant,
    updated_at: instant,
    state_changed_at: instant,
    started_at: described(nullable(instant), "When the item first left the proposed states."),
    finished_at: described(nullable(instant), "When the item was completed. Null if it is not completed."),
    created_by: keysAreNoUsers,
    created_by_key: z.string(),
    version: z.int().describe("Goes up by one with every change."),
    now: internal(sql<number>`NULL`),
    time_in_current_state_seconds: added(
      z.int(),
      ({ now, state_changed_at: since }: Record<"now" | "state_changed_at", number>) =>
        Math.max(0, Math.floor((now - since) / 1_000)),
    ),
    status_history: from(
      history,
      rendered(
        z.array(statusChange.schema).meta({ description: "Each change of state, oldest first." }),
        (changes: RowOf<typeof statusChange>[]) => changes.map(statusChange.render),
      ),
    ),
  },
  "WorkItemDetail",
);
/** A work item as lists have it. */
export const workItem = workItemDetail.omit("now", "time_in_current_state_seconds", "status_history");

export type WorkItemRow = RowOf<typeof workItem>;
export type WorkItemDetailRow = RowOf<typeof workItemDetail>;

const source = once(
  () => sql`${workItems} LEFT JOIN ${employees} ON ${employees.id} = ${workItems.assignedTo}`,
);

/** The SELECT of work items for lists; `tail` goes on after WHERE, `joined` comes before the items. */
export function selectWorkItems(tail: SQL, joined: SQL = sql``): SQL<WorkItemRow> {
  return sql`SELECT ${workItem.columns()} AS snapshot FROM ${joined} ${source()} WHERE ${tail}`;
}

/** The SELECT of one work item with its history, for reads and for the answer of a write. */
export function selectWorkItem({ now }: { now: number | SQL<number> }, where: SQL): SQL<WorkItemDetailRow> {
  return sql`SELECT json_set(${workItemDetail.columns()}, '$.now', ${now}) AS snapshot FROM ${source()} WHERE ${where}`;
}

/** The data of work item events: with the history, without internal notes. */
export const workItemResource = resource({
  name: "work_item",
  scope: "projects.read",
  record: workItemDetail,
  select: (moment, id) => selectWorkItem(moment, sql`${workItems.id} = ${id}`),
  upgrades: [withExternalId],
});
