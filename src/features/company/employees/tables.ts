import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

/** The people that work can be assigned to. */
export const employees = recordTable("employees", {
  name: text("name").notNull(),
  employeeCode: text("employee_code"),
  designation: text("designation"),
  isActive: integer("is_active").notNull().default(1),
});
