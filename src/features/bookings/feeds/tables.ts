import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Calendars that others subscribe to. */
export const calendarFeeds = sqliteTable("calendar_feeds", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  name: text("name").notNull(),
  /** Null for the whole school. */
  instructorId: integer("instructor_id"),
  detail: text("detail").$type<"full" | "busy">().notNull(),
  /** The id of the call that issued the address. */
  issue: text("issue").notNull(),
  tokenHash: text("token_hash").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
