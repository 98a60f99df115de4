import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const instructorOverrides = recordTable("instructor_overrides", {
  instructorId: integer("instructor_id").notNull(),
  date: text("date").notNull(),
  isAvailable: integer("is_available").notNull(),
  startMinute: integer("start_minute"),
  endMinute: integer("end_minute"),
  note: text("note"),
});
