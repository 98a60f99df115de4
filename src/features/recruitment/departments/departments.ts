import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { flag, instant } from "#core/sql/fields.ts";
import { readAll } from "#core/sql/read-records.ts";
import { record } from "#core/sql/record.ts";
import { type Refusals, refuseWhen } from "#core/write/atomic.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { fieldProblem } from "#shared/problem.ts";
import { departments, jobs } from "#tables/recruitment";
import { isOpen } from "../jobs/open-job.ts";
import { requireDepartment } from "./require-department.ts";

const sent = z.object({
  name: cleanText({ min: 1, max: 100 }),
  parent_id: idReference.nullable(),
  is_active: z.boolean(),
});
const create = sent.partial().required({ name: true });

/** A department as its company sees it. */
const departmentSettings = record(
  departments,
  {
    id: z.int(),
    name: z.string(),
    parent_id: z.int().nullable(),
    is_active: flag,
    created_at: instant,
    updated_at: instant,
  },
  "DepartmentSettings",
);

const REFUSALS: Refusals = {
  department_gone: () => fieldProblem("parent_id", "not_found", "names no department"),
  parent_below: () => fieldProblem("parent_id", "cycle", "must not be the department itself or one below it"),
};

export const departmentSettingsRoutes = new Router(
  "Settings: Jobs and departments",
  "/departments",
).collection({
  ids: { one: "Department", list: "listDepartmentSettings" },
  words: ["a department", "all departments"],
  record: departmentSettings,
  create,
  patch: patchOf(sent),
  verbs: collectionVerbs({
    record: departmentSettings,
    create,
    columns: (body, isNew) => columnsOf(departments, isNew ? { is_active: true, ...body } : body),
    guards: ({ parent_id: parent }, id) => [
      ...requireDepartment(parent),
      ...(parent == null || id === undefined ? [] : [refuseWhen(isBelow(parent, id), "parent_below")]),
    ],
    usedBy: (id) => sql`EXISTS (SELECT 1 FROM ${jobs} WHERE ${jobs.departmentId} = ${id})
      OR EXISTS (SELECT 1 FROM ${departments} WHERE ${departments.parentId} = ${id})`,
    refusals: REFUSALS,
  }),
  problems: { create: ["duplicate_name"], update: ["duplicate_name"], delete: ["in_use"] },
  notes: { delete: { description: "Only a department without jobs and without departments below it." } },
});

/** Whether a department is another one or stands somewhere below it. */
function isBelow(id: number, top: number): SQL {
  return sql`${top} IN (
    WITH RECURSIVE above (id) AS (
      SELECT ${id} UNION SELECT ${departments.parentId} FROM ${departments} JOIN above ON ${departments.id} = above.id
    ) SELECT id FROM above
  )`;
}

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
