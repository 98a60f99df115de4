import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const departments = recordTable("departments", {
  name: text("name").notNull(),
  parentId: integer("parent_id"),
  isActive: integer("is_active").notNull(),
});
