import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";
import type { GST_CATEGORIES } from "#shared/gst/gst-categories.ts";
import type { Language } from "#shared/text/language.ts";

export const customers = recordTable("customers", {
  name: text("name").notNull(),
  displayName: text("display_name"),
  email: text("email"),
  emailLower: text("email_lower"),
  phone: text("phone"),
  phoneDigits: text("phone_digits"),
  phoneLast9: text("phone_last9"),
  companyName: text("company_name"),
  gstin: text("gstin"),
  gstCategory: text("gst_category").$type<(typeof GST_CATEGORIES)[number]>().notNull(),
  pan: text("pan"),
  address: text("address"),
  city: text("city"),
  state: text("state").notNull(),
  stateCode: text("state_code"),
  pincode: text("pincode").notNull(),
  country: text("country").notNull(),
  shippingAddress: text("shipping_address"),
  currency: text("currency").notNull(),
  paymentTermsDays: integer("payment_terms_days").notNull().default(0),
  notes: text("notes"),
  language: text("language").$type<Language>(),
  metadata: text("metadata").notNull().default("{}"),
  createdVia: text("created_via").notNull().default("api"),
  isCustomer: integer("is_customer").notNull().default(1),
  isVendor: integer("is_vendor").notNull().default(0),
  deletedAt: integer("deleted_at"),
});

/** The columns of every new customer, whether it was entered or comes with an order or a booking. */
export const NEW_CUSTOMER = [
  "operation",
  "name",
  "email",
  "emailLower",
  "phone",
  "phoneDigits",
  "phoneLast9",
  "companyName",
  "gstin",
  "gstCategory",
  "pan",
  "address",
  "city",
  "state",
  "stateCode",
  "pincode",
  "country",
  "shippingAddress",
  "currency",
  "createdAt",
  "updatedAt",
] as const satisfies readonly (keyof typeof customers.$inferInsert)[];
