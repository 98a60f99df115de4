import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { companyColumns, keyColumns } from "../tables.ts";

/** In each company's own database: its row of the control database, without what opens it. */
export const companyCopy = sqliteTable("company_copy", {
  id: integer("id").primaryKey(),
  companyId: integer("company_id").notNull(),
  ...companyColumns,
  status: text("status").$type<"active" | "suspended">().notNull(),
});

/** In each company's own database: the rows of its keys, revoked ones too. */
export const keyCopies = sqliteTable("key_copies", {
  clientId: text("client_id").primaryKey(),
  ...keyColumns,
});
