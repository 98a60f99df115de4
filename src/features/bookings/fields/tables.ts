import { text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const instructorFields = recordTable("instructor_fields", {
  key: text("key").notNull(),
  label: text("label").notNull(),
  type: text("type").$type<"text" | "number" | "boolean" | "select" | "multiselect" | "date">().notNull(),
  options: text("options"),
});
