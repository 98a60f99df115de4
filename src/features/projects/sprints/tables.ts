import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const sprints = recordTable("sprints", {
  projectId: integer("project_id").notNull(),
  name: text("name").notNull(),
  goal: text("goal"),
  iterationId: integer("iteration_id"),
  status: text("status").$type<"planned" | "active" | "completed">().notNull().default("planned"),
  startDate: text("start_date"),
  endDate: text("end_date"),
  startedAt: integer("started_at"),
  completedAt: integer("completed_at"),
  items: integer("items").notNull().default(0),
  completedItems: integer("completed_items").notNull().default(0),
  points: integer("points").notNull().default(0),
  completedPoints: integer("completed_points").notNull().default(0),
});

export const sprintScopeLog = sqliteTable("sprint_scope_log", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  sprintId: integer("sprint_id").notNull(),
  workItemId: integer("work_item_id").notNull(),
  at: integer("at").notNull(),
  items: integer("items").notNull(),
  completedItems: integer("completed_items").notNull(),
  points: integer("points").notNull(),
  completedPoints: integer("completed_points").notNull(),
});
