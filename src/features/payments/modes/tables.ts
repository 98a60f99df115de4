import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const paymentModes = sqliteTable("payment_modes", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull(),
  modeType: text("mode_type").$type<"cash" | "bank" | "upi" | "card" | "cheque" | "online">().notNull(),
  accountId: integer("account_id"),
  isActive: integer("is_active").notNull().default(1),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
