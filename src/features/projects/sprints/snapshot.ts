import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import type { Refusals } from "#core/write/atomic.ts";
import { quantityToWire } from "#shared/fields/numbers.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { datesOutOfOrder } from "../within-project.ts";
import { sprints } from "./tables.ts";

const shape = {
  id: sprints.id,
  name: sprints.name,
  goal: sprints.goal,
  iteration_id: sprints.iterationId,
  status: sprints.status,
  start_date: sprints.startDate,
  end_date: sprints.endDate,
  started_at: sprints.startedAt,
  completed_at: sprints.completedAt,
  items: sprints.items,
  completed_items: sprints.completedItems,
  points: sprints.points,
  completed_points: sprints.completedPoints,
  created_at: sprints.createdAt,
  updated_at: sprints.updatedAt,
};
export type SprintRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of sprints; `tail` goes on after WHERE. */
export function selectSprints(tail: SQL): SQL<SprintRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${sprints} WHERE ${tail}`;
}

export function renderSprint({ items, completed_items: completed, points, ...row }: SprintRow) {
  return {
    ...row,
    started_at: timestampOrNull(row.started_at),
    completed_at: timestampOrNull(row.completed_at),
    totals: {
      items,
      completed,
      points: quantityToWire(points),
      completed_points: quantityToWire(row.completed_points),
    },
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}

export const SPRINT_REFUSALS: Refusals = {
  ...datesOutOfOrder("end_date"),
  sprint_too_long: () => fieldProblem("end_date", "too_big", "must be at most 365 days after start_date"),
  sprint_dates_missing: () =>
    new Problem("validation_failed", {
      message: "A sprint that was started needs start_date and end_date",
      errors: ["start_date", "end_date"].map((field) => ({
        field,
        code: "required",
        message: "is required",
      })),
    }),
  sprint_completed: () =>
    new Problem("invalid_status", { message: "Of a completed sprint only name and goal can change" }),
  sprint_not_planned: () =>
    new Problem("invalid_status", { message: "Only a planned sprint can be started" }),
  sprint_not_active: () =>
    new Problem("invalid_status", { message: "Only an active sprint can be completed" }),
};
