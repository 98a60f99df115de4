import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Category } from "../statuses/tables.ts";

type Rank = "critical" | "high" | "medium" | "low";

export const workItems = sqliteTable("work_items", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  projectId: integer("project_id").notNull(),
  number: integer("number").notNull(),
  reference: text("reference").notNull(),
  type: text("type")
    .$type<"epic" | "feature" | "user_story" | "task" | "bug" | "issue" | "test_case">()
    .notNull(),
  title: text("title").notNull(),
  description: text("description"),
  priority: text("priority").$type<Rank>().notNull(),
  severity: text("severity").$type<Rank>(),
  state: text("state").notNull(),
  stateCategory: text("state_category").$type<Category>().notNull(),
  status: text("status"),
  assignedTo: integer("assigned_to"),
  parentId: integer("parent_id"),
  iterationId: integer("iteration_id"),
  sprintId: integer("sprint_id"),
  areaId: integer("area_id"),
  storyPoints: integer("story_points"),
  estimatedHours: integer("estimated_hours"),
  remainingHours: integer("remaining_hours"),
  startDate: text("start_date"),
  dueDate: text("due_date"),
  tags: text("tags").notNull().default("[]"),
  asA: text("as_a"),
  iWant: text("i_want"),
  soThat: text("so_that"),
  acceptanceCriteria: text("acceptance_criteria"),
  reproSteps: text("repro_steps"),
  createdByKey: text("created_by_key").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  stateChangedAt: integer("state_changed_at").notNull(),
  startedAt: integer("started_at"),
  finishedAt: integer("finished_at"),
  version: integer("version").notNull().default(1),
});

export const statusHistory = sqliteTable("status_history", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  workItemId: integer("work_item_id").notNull(),
  fromState: text("from_state").notNull(),
  fromCategory: text("from_category").$type<Category>().notNull(),
  toState: text("to_state").notNull(),
  toCategory: text("to_category").$type<Category>().notNull(),
  status: text("status"),
  changedAt: integer("changed_at").notNull(),
  durationSeconds: integer("duration_seconds").notNull(),
  commentId: integer("comment_id"),
  keyName: text("key_name").notNull(),
});
