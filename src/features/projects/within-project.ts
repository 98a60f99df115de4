import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readListOf } from "#core/sql/read-records.ts";
import { type Refusals, refuseWhen } from "#core/write/atomic.ts";
import type { Listed, Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import type { areas } from "./areas/tables.ts";
import type { iterations } from "./iterations/tables.ts";
import type { milestones } from "./milestones/tables.ts";
import { projects } from "./projects/tables.ts";
import type { sprints } from "./sprints/tables.ts";
import type { workItems } from "./work-items/tables.ts";

type ProjectRecords =
  | typeof areas
  | typeof iterations
  | typeof milestones
  | typeof sprints
  | typeof workItems;

/** A page of what `select` finds in a project; 404 when there is no such project. */
export function listInProject<Row>(
  ctx: CallCtx,
  projectId: number,
  page: Page,
  select: SQL<Row>,
): Promise<Listed<Row>> {
  const project = sql`SELECT 1 FROM ${projects} WHERE ${projects.id} = ${projectId}`;
  return readListOf(ctx, project, page, select);
}

/** Aborts the batch when there is no such project. */
export function requireProject(projectId: number): SQL {
  return refuseWhen(
    sql`NOT EXISTS (SELECT 1 FROM ${projects} WHERE ${projects.id} = ${projectId})`,
    "not_found",
  );
}

/** Aborts the batch when the project has no such record. */
export function requireRecord(table: ProjectRecords, projectId: number, id: number): SQL {
  const found = sql`SELECT 1 FROM ${table} WHERE ${table.projectId} = ${projectId} AND ${table.id} = ${id}`;
  return refuseWhen(sql`NOT EXISTS (${found})`, "not_found");
}

/** What the CHECK on the dates of a record means, by the name of the later one. */
export function datesOutOfOrder(laterField: string): Refusals {
  return {
    dates_out_of_order: () => fieldProblem(laterField, "before_start_date", "must not be before start_date"),
  };
}
