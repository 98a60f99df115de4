import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
