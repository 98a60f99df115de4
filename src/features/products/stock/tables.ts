import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const batches = sqliteTable("batches", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  productId: integer("product_id").notNull(),
  batchNumber: text("batch_number").notNull(),
  quantity: integer("quantity").notNull().default(0),
  createdAt: integer("created_at").notNull(),
});

export const stockMovements = sqliteTable("stock_movements", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  productId: integer("product_id").notNull(),
  batchId: integer("batch_id"),
  type: text("type")
    .$type<"opening" | "sale" | "void_restore" | "adjust_increase" | "adjust_decrease" | "order_sale">()
    .notNull(),
  quantity: integer("quantity").notNull(),
  unitCost: integer("unit_cost"),
  balanceAfter: integer("balance_after"),
  allowNegative: integer("allow_negative").notNull().default(0),
  referenceType: text("reference_type"),
  referenceId: integer("reference_id"),
  reason: text("reason"),
  notes: text("notes"),
  createdAt: integer("created_at").notNull(),
});
