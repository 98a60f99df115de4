import { integer, type SQLiteColumnBuilderBase, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A table of records: beside its columns, each row has an id, the operation that made it, and when it was made and changed. */
export function recordTable<Name extends string, Columns extends Record<string, SQLiteColumnBuilderBase>>(
  name: Name,
  columns: Columns,
) {
  return sqliteTable(name, {
    id: integer("id").primaryKey({ autoIncrement: true }),
    operation: text("operation").notNull(),
    ...columns,
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  });
}
