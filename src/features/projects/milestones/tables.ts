import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const milestones = sqliteTable("milestones", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  projectId: integer("project_id").notNull(),
  name: text("name").notNull(),
  description: text("description"),
  startDate: text("start_date"),
  dueDate: text("due_date"),
  status: text("status").$type<"pending" | "in_progress" | "completed" | "overdue">().notNull(),
  completedDate: text("completed_date"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
