import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { flag, instant } from "#core/sql/fields.ts";
import { record } from "#core/sql/record.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { employees } from "#tables/company";
import { workItems } from "#tables/projects";

const sent = z.object({
  name: cleanText({ min: 1, max: 255 }),
  employee_code: cleanText({ min: 1, max: 50 })
    .nullable()
    .meta({ description: "Your own number. It must be unique; upper and lower case are equal." }),
  designation: cleanText({ max: 100 }).nullable().describe("The position in the company."),
  is_active: z.boolean().meta({
    description: "Only active employees can be assigned. Work that is already assigned stays assigned.",
  }),
});
const create = sent.partial().required({ name: true });

const employee = record(
  employees,
  {
    id: z.int(),
    name: z.string(),
    employee_code: z.string().nullable().describe("The company's own number for the employee."),
    designation: z.string().nullable().describe("The position in the company."),
    is_active: flag,
    created_at: instant,
    updated_at: instant,
  },
  "Employee",
);

export const employeeRoutes = new Router("Settings: Employees", "/employees").collection({
  ids: { one: "Employee", list: "listEmployees" },
  words: ["an employee", "the employees"],
  record: employee,
  create,
  patch: patchOf(sent),
  verbs: collectionVerbs({
    record: employee,
    create,
    usedBy: (id) => sql`EXISTS (SELECT 1 FROM ${workItems} WHERE ${workItems.assignedTo} = ${id})`,
  }),
  problems: { create: ["conflict"], update: ["conflict"], delete: ["in_use"] },
  notes: {
    list: { description: "Includes inactive employees." },
    delete: {
      description: "Refused while work is assigned to the employee. Make the employee inactive instead.",
    },
  },
  changes: { delete: ["work_item"] },
});

/** Erases deleted employees again, and unassigns their work. */
export const employeeErasure: Erasure = {
  action: "deleteEmployee",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${employees}
    ON ${employees.id} = CAST(record AS INTEGER) AND ${employees.createdAt} <= at`,
  erase: (left) => [sql`DELETE FROM ${employees} WHERE ${employees.id} IN (${integersOf(left)})`],
};
