import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const iterations = recordTable("iterations", {
  projectId: integer("project_id").notNull(),
  parentId: integer("parent_id"),
  name: text("name").notNull(),
  type: text("type").$type<"release" | "sprint" | "week">(),
  startDate: text("start_date"),
  endDate: text("end_date"),
});
