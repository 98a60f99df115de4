import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { quantityToWire } from "#shared/fields/numbers.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { employees } from "#tables/company";
import { workItemComments } from "../comments/tables.ts";
import { statusHistory, workItems } from "./tables.ts";

const shape = {
  id: workItems.id,
  project_id: workItems.projectId,
  reference: workItems.reference,
  number: workItems.number,
  type: workItems.type,
  title: workItems.title,
  description: workItems.description,
  priority: workItems.priority,
  severity: workItems.severity,
  state: workItems.state,
  state_category: workItems.stateCategory,
  status: workItems.status,
  assigned_to: workItems.assignedTo,
  assignee_name: sql<string | null>`${employees.name}`,
  parent_id: workItems.parentId,
  iteration_id: workItems.iterationId,
  sprint_id: workItems.sprintId,
  area_id: workItems.areaId,
  story_points: workItems.storyPoints,
  estimated_hours: workItems.estimatedHours,
  remaining_hours: workItems.remainingHours,
  start_date: workItems.startDate,
  due_date: workItems.dueDate,
  tags: sql<string[]>`json(${workItems.tags})`,
  as_a: workItems.asA,
  i_want: workItems.iWant,
  so_that: workItems.soThat,
  acceptance_criteria: workItems.acceptanceCriteria,
  repro_steps: workItems.reproSteps,
  created_at: workItems.createdAt,
  updated_at: workItems.updatedAt,
  state_changed_at: workItems.stateChangedAt,
  started_at: workItems.startedAt,
  finished_at: workItems.finishedAt,
  created_by_key: workItems.createdByKey,
  version: workItems.version,
};

const changeShape = {
  id: statusHistory.id,
  from_state: statusHistory.fromState,
  from_category: statusHistory.fromCategory,
  to_state: statusHistory.toState,
  to_category: statusHistory.toCategory,
  status: statusHistory.status,
  changed_at: statusHistory.changedAt,
  duration_seconds: statusHistory.durationSeconds,
  comment: sql<string | null>`(
    SELECT ${workItemComments.body} FROM ${workItemComments}
    WHERE ${workItemComments.id} = ${statusHistory.commentId} AND ${workItemComments.isInternal} = 0
  )`,
  key_name: statusHistory.keyName,
};
const history = sql<JsonRow<typeof changeShape>[]>`(
  SELECT json_group_array(${jsonObject(changeShape)}) FROM (
    SELECT * FROM ${statusHistory} WHERE ${statusHistory.workItemId} = ${workItems.id} ORDER BY ${statusHistory.id}
  ) ${statusHistory}
)`;

/** A work item as lists have it. */
export type WorkItemRow = JsonRow<typeof shape>;
/** A work item with its history, as of the time of the call. */
export type WorkItemDetailRow = WorkItemRow & {
  status_history: JsonRow<typeof changeShape>[];
  now: number;
};

const columns = once(() => jsonObject(shape));
const detailColumns = once(() => jsonObject({ ...shape, status_history: history }));
const source = once(
  () => sql`${workItems} LEFT JOIN ${employees} ON ${employees.id} = ${workItems.assignedTo}`,
);

/** The SELECT of work items for lists; `tail` goes on after WHERE, `joined` comes before the items. */
export function selectWorkItems(tail: SQL, joined: SQL = sql``): SQL<WorkItemRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${joined} ${source()} WHERE ${tail}`;
}

/** The SELECT of one work item with its history, for reads and for the answer of a write. */
export function selectWorkItem({ now }: { now: number | SQL<number> }, where: SQL): SQL<WorkItemDetailRow> {
  return sql`SELECT json_set(${detailColumns()}, '$.now', ${now}) AS snapshot FROM ${source()} WHERE ${where}`;
}

export function renderWorkItem({ assignee_name: name, ...row }: WorkItemRow) {
  return {
    ...row,
    assignee: row.assigned_to === null ? null : { id: row.assigned_to, name: name ?? "" },
    story_points: wireOf(row.story_points, quantityToWire),
    estimated_hours: wireOf(row.estimated_hours, quantityToWire),
    remaining_hours: wireOf(row.remaining_hours, quantityToWire),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
    state_changed_at: timestampToWire(row.state_changed_at),
    started_at: wireOf(row.started_at, timestampToWire),
    finished_at: wireOf(row.finished_at, timestampToWire),
    created_by: null,
  };
}

export function renderWorkItemDetail({ status_history: changes, now, ...row }: WorkItemDetailRow) {
  return {
    ...renderWorkItem(row),
    time_in_current_state_seconds: Math.max(0, Math.floor((now - row.state_changed_at) / 1_000)),
    status_history: changes.map((change) => ({
      ...change,
      changed_at: timestampToWire(change.changed_at),
      changed_by: null,
    })),
  };
}

function wireOf<Stored, Wire>(value: Stored | null, toWire: (value: Stored) => Wire): Wire | null {
  return value === null ? null : toWire(value);
}
