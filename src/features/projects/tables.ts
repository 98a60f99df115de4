import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

type Category = "proposed" | "in_progress" | "resolved" | "completed" | "removed";
type Rank = "critical" | "high" | "medium" | "low";

export const workItemStatuses = sqliteTable("work_item_statuses", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  slug: text("slug").notNull(),
  name: text("name").notNull(),
  category: text("category").$type<Category>().notNull(),
  position: integer("position").notNull(),
  isDefault: integer("is_default").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const projects = sqliteTable("projects", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  name: text("name").notNull(),
  code: text("code").notNull(),
  description: text("description"),
  status: text("status").$type<"active" | "archived">().notNull().default("active"),
  lastNumber: integer("last_number").notNull().default(0),
  openItems: integer("open_items").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const iterations = sqliteTable("iterations", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  projectId: integer("project_id").notNull(),
  parentId: integer("parent_id"),
  name: text("name").notNull(),
  type: text("type").$type<"release" | "sprint" | "week">(),
  startDate: text("start_date"),
  endDate: text("end_date"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const areas = sqliteTable("areas", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  projectId: integer("project_id").notNull(),
  parentId: integer("parent_id"),
  name: text("name").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

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

export const sprints = sqliteTable("sprints", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
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
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

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

export const workItemComments = sqliteTable("work_item_comments", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  workItemId: integer("work_item_id").notNull(),
  body: text("body").notNull(),
  author: text("author").notNull(),
  isInternal: integer("is_internal").notNull().default(0),
  createdAt: integer("created_at").notNull(),
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
