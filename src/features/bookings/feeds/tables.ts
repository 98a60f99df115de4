import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

/** Calendars that others subscribe to. */
export const calendarFeeds = recordTable("calendar_feeds", {
  name: text("name").notNull(),
  /** Null for the whole school. */
  instructorId: integer("instructor_id"),
  detail: text("detail").$type<"full" | "busy">().notNull(),
  /** The id of the call that issued the address. */
  issue: text("issue").notNull(),
  tokenHash: text("token_hash").notNull(),
});
