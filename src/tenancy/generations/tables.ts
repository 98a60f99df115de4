import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** In each company's own database: its generation, and by which other one it was replaced. */
export const databaseGeneration = sqliteTable("database_generation", {
  id: integer("id").primaryKey(),
  generation: integer("generation").notNull(),
  replacedBy: text("replaced_by"),
  replacedGeneration: integer("replaced_generation"),
  replacedAt: integer("replaced_at"),
});
