import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { readAll } from "#core/sql/read-records.ts";
import { departments, jobs } from "#tables/recruitment";
import { isOpen } from "../jobs/open-job.ts";
import { departmentSettings } from "./departments.ts";

const department = departmentSettings.pick("id", "name", "parent_id");
const listed = department.schema
  .extend({
    open_jobs_count: z.int().describe("The jobs of this department, without those of departments below it."),
  })
  .meta({ id: "Department" });

export const departmentRoutes = new Router("Recruitment", "/departments").all({ listDepartments }, "/", {
  summary: "List departments",
  description: "Active departments, by name.",
  record: { schema: listed, render: (row) => row },
});

/** The active departments by name, each with how many jobs it has open. */
async function listDepartments(ctx: CallCtx): Promise<z.infer<typeof listed>[]> {
  const open = sql`SELECT count(*) FROM ${jobs} WHERE ${jobs.departmentId} = ${departments.id} AND ${isOpen(ctx)}`;
  const select = sql<z.infer<typeof listed>>`
    SELECT json_set(${department.columns()}, '$.open_jobs_count', (${open})) AS snapshot
    FROM ${departments} WHERE ${departments.isActive} = 1
    ORDER BY ${departments.name} COLLATE NOCASE, ${departments.id}`;
  return readAll(ctx, select);
}
