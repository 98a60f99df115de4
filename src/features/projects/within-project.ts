import { and, type Column, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { readListOf, readOne } from "#core/sql/read-records.ts";
import { atomic, type Refusals, refuseWhen } from "#core/write/atomic.ts";
import type { Some } from "#core/write/collection.ts";
import { idAbove, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import {
  type areas,
  type iterations,
  type milestones,
  projects,
  type sprints,
  type workItems,
} from "#tables/projects";
import { ProjectParams, RecordParams } from "./schema.ts";

type ProjectRecords =
  | typeof areas
  | typeof iterations
  | typeof milestones
  | typeof sprints
  | typeof workItems;

/** What the operations of a collection within a project have in common. */
export const WITHIN_PROJECT = {
  params: { list: ProjectParams, record: RecordParams },
} as const;

type Settings<Row, Body> = {
  record: { table: ProjectRecords; select: (tail: SQL, ctx: CallCtx) => SQL<Row> };
  /** The place of a page and the order of the list, by id unless it says otherwise. */
  order?: (page: Page) => SQL;
  /** Statements before the row is written; `id` is that of a change. */
  guards?: (projectId: number, body: Some<Body>, id: number | null) => SQL[];
  /** How a body becomes columns. */
  columns: (body: Some<Body>, ctx: CallCtx, isNew: boolean) => object;
  refusals: Refusals;
};

/** The verbs of a collection that each project has. */
export function projectVerbs<Row, Body>(settings: Settings<Row, Body>) {
  const { select } = settings.record;
  const table: SQLiteTable & Record<"id" | "projectId" | "operation", Column> = settings.record.table;
  const { guards = () => [], columns, refusals } = settings;
  const { order = (page: Page) => sql`${table.id} > ${idAbove(page)} ORDER BY ${table.id}` } = settings;
  return {
    list(ctx: CallCtx, { project_id }: ProjectParams, { page }: { page: Page }): Promise<Listed<Row>> {
      const tail = sql`${table.projectId} = ${project_id} AND ${order(page)} LIMIT ${page.take}`;
      return listInProject(ctx, project_id, page, select(tail, ctx));
    },
    get: (ctx: CallCtx, { project_id, id }: RecordParams): Promise<Row> =>
      readOne(ctx, select(sql`${and(eq(table.projectId, project_id), eq(table.id, id))}`, ctx)),
    create(ctx: WriteCtx, { project_id }: ProjectParams, body: Body): Promise<Row> {
      const stamp = { operation: ctx.call.id, createdAt: ctx.now, updatedAt: ctx.now };
      const row = { ...columns(body, ctx, true), projectId: project_id, ...stamp };
      return atomic(
        ctx,
        [requireProject(project_id), ...guards(project_id, body, null), ctx.db.insert(table).values(row)],
        select(eq(table.operation, ctx.call.id), ctx),
        refusals,
      );
    },
    update(ctx: WriteCtx, { project_id, id }: RecordParams, patch: Some<Body>): Promise<Row> {
      const here = eq(table.id, id);
      const set = { ...columns(patch, ctx, false), updatedAt: ctx.now };
      return atomic(
        ctx,
        [
          requireRecord(settings.record.table, project_id, id),
          ...guards(project_id, patch, id),
          ctx.db.update(table).set(set).where(here),
        ],
        select(here, ctx),
        refusals,
      );
    },
  };
}

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
function requireProject(projectId: number): SQL {
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
