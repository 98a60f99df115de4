import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const instructorFields = sqliteTable("instructor_fields", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  key: text("key").notNull(),
  label: text("label").notNull(),
  type: text("type").$type<"text" | "number" | "boolean" | "select" | "multiselect" | "date">().notNull(),
  options: text("options"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
