import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";
import type { GstTreatment } from "#shared/gst/treatments.ts";

export const products = recordTable("products", {
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
  gstTreatment: text("gst_treatment").$type<GstTreatment>(),
  /** 0 where nothing was sent: the rate of 0 is none then. */
  hasTaxRate: integer("has_tax_rate").notNull().default(0),
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
});
