import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const projects = recordTable("projects", {
  name: text("name").notNull(),
  code: text("code").notNull(),
  description: text("description"),
  status: text("status").$type<"active" | "archived">().notNull().default("active"),
  lastNumber: integer("last_number").notNull().default(0),
  openItems: integer("open_items").notNull().default(0),
});
