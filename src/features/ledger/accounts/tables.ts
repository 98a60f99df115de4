import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const accounts = sqliteTable("accounts", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  code: text("code").notNull(),
  name: text("name").notNull(),
  type: text("type").$type<"asset" | "liability" | "equity" | "income" | "expense">().notNull(),
  parentId: integer("parent_id"),
  partyType: text("party_type"),
  partyId: integer("party_id"),
  isActive: integer("is_active").notNull().default(1),
  deletedAt: integer("deleted_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  systemKey: text("system_key"),
});
