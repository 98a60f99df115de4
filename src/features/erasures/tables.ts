import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const personErasures = sqliteTable("person_erasures", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  requestedAt: integer("requested_at").notNull(),
  personHash: text("person_hash").notNull(),
  reason: text("reason"),
  /** How many records of each kind, as JSON. */
  erased: text("erased").notNull(),
  /** As JSON. */
  kept: text("kept").notNull(),
});
