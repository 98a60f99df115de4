import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Through which day the books are locked, and through which month the GST return is filed: one row. */
export const booksSettings = sqliteTable("books_settings", {
  id: integer("id").primaryKey(),
  lockedThrough: text("locked_through"),
  lockedAt: integer("locked_at"),
  gstFiledThrough: text("gst_filed_through"),
});
