import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const instructorOverrides = sqliteTable("instructor_overrides", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  instructorId: integer("instructor_id").notNull(),
  date: text("date").notNull(),
  isAvailable: integer("is_available").notNull(),
  startMinute: integer("start_minute"),
  endMinute: integer("end_minute"),
  note: text("note"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
