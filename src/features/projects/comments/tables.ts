import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const workItemComments = sqliteTable("work_item_comments", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  workItemId: integer("work_item_id").notNull(),
  body: text("body").notNull(),
  author: text("author").notNull(),
  isInternal: integer("is_internal").notNull().default(0),
  createdAt: integer("created_at").notNull(),
});
