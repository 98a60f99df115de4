import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const units = sqliteTable("units", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  code: text("code").notNull(),
  name: text("name").notNull(),
  /** The unit that this one is a multiple of, and how many thousandths of it; null where it is none. */
  baseCode: text("base_code"),
  factorThousandths: integer("factor_thousandths"),
});

export const categories = sqliteTable("categories", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const products = sqliteTable("products", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  name: text("name").notNull(),
  sku: text("sku"),
  description: text("description"),
  productType: text("product_type").$type<"goods" | "service">().notNull(),
  categoryId: integer("category_id"),
  unitId: integer("unit_id").notNull(),
  sellingPrice: integer("selling_price").notNull(),
  purchasePrice: integer("purchase_price"),
  mrp: integer("mrp"),
  taxRate: integer("tax_rate").notNull(),
  priceIncludesTax: integer("price_includes_tax").notNull(),
  hsnSacCode: text("hsn_sac_code"),
  status: text("status").$type<"active" | "inactive">().notNull(),
  isStorefrontVisible: integer("is_storefront_visible").notNull(),
  trackStock: integer("track_stock").notNull(),
  isBatchTracked: integer("is_batch_tracked").notNull(),
  openingStock: integer("opening_stock").notNull().default(0),
  lowStockThreshold: integer("low_stock_threshold"),
  currentStock: integer("current_stock").notNull().default(0),
  durationMinutes: integer("duration_minutes"),
  transmission: text("transmission").$type<"auto" | "manual">(),
  isPackage: integer("is_package").notNull().default(0),
  sessions: integer("sessions"),
  lessonProductId: integer("lesson_product_id"),
  packageDays: integer("package_days"),
  metadata: text("metadata").notNull().default("{}"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

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
