import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const milestones = recordTable("milestones", {
  projectId: integer("project_id").notNull(),
  name: text("name").notNull(),
  description: text("description"),
  startDate: text("start_date"),
  dueDate: text("due_date"),
  status: text("status").$type<"pending" | "in_progress" | "completed" | "overdue">().notNull(),
  completedDate: text("completed_date"),
});
