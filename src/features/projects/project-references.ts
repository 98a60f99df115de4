import { type SQL, sql } from "drizzle-orm";
import { type Refusals, requireReferred } from "#core/write/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import { employees } from "#tables/company";
import { areas, iterations, sprints } from "#tables/projects";

type Reference = number | null | undefined;
type References = Partial<Record<"assigned_to" | "iteration_id" | "area_id" | "sprint_id", Reference>>;

/** Aborts the batch unless each id sent is an active employee, or a record of the project; a sprint must not be completed. */
export function requireProjectReferences(projectId: number, body: References): SQL[] {
  const { assigned_to: employee, iteration_id: iteration, area_id: area, sprint_id: sprint } = body;
  const active = sql`SELECT 1 FROM ${employees} WHERE ${employees.id} = ${employee} AND ${employees.isActive} = 1`;
  const open = sql`${within(sprints, projectId, sprint)} AND ${sprints.status} <> 'completed'`;
  return [
    ...requireReferred(employee, active, "assignee_unknown"),
    ...requireReferred(iteration, within(iterations, projectId, iteration), "iteration_not_in_project"),
    ...requireReferred(area, within(areas, projectId, area), "area_not_in_project"),
    ...requireReferred(sprint, open, "sprint_not_open"),
  ];
}

function within(
  table: typeof areas | typeof iterations | typeof sprints,
  projectId: number,
  id: Reference,
): SQL {
  return sql`SELECT 1 FROM ${table} WHERE ${table.projectId} = ${projectId} AND ${table.id} = ${id}`;
}

export const PROJECT_REFERENCE_REFUSALS: Refusals = {
  assignee_unknown: () => fieldProblem("assigned_to", "not_assignable", "is not on the list of assignees"),
  iteration_not_in_project: () =>
    fieldProblem("iteration_id", "not_in_project", "names no iteration of this project"),
  area_not_in_project: () => fieldProblem("area_id", "not_in_project", "names no area of this project"),
  sprint_not_open: () => fieldProblem("sprint_id", "not_open", "names no open sprint of this project"),
};
