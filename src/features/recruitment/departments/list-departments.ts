import { sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { type JsonRow, jsonObject } from "#platform/sql/json.ts";
import { readAll } from "#platform/sql/read-records.ts";
import { isOpen } from "../jobs/open-job.ts";
import { jobs } from "../jobs/tables.ts";
import { departments } from "./tables.ts";

const shape = { id: departments.id, name: departments.name, parent_id: departments.parentId };
export type DepartmentRow = JsonRow<typeof shape> & { open_jobs_count: number };

/** The active departments by name, each with how many jobs it has open. */
export async function listDepartments(ctx: CallCtx): Promise<DepartmentRow[]> {
  const open = sql`SELECT count(*) FROM ${jobs} WHERE ${jobs.departmentId} = ${departments.id} AND ${isOpen(ctx)}`;
  const select = sql<DepartmentRow>`SELECT json_set(${jsonObject(shape)}, '$.open_jobs_count', (${open})) AS snapshot
    FROM ${departments} WHERE ${departments.isActive} = 1
    ORDER BY ${departments.name} COLLATE NOCASE, ${departments.id}`;
  return readAll(ctx, select);
}
