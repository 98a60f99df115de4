import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The people that work can be assigned to. */
export const employees = sqliteTable("employees", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  name: text("name").notNull(),
  employeeCode: text("employee_code"),
  designation: text("designation"),
  isActive: integer("is_active").notNull().default(1),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
