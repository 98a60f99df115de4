import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { KeptFiles } from "#core/files/kept-files.ts";
import type { GstStatus } from "#shared/gst/document-types.ts";

/** The company's own particulars: one row. */
export const profile = sqliteTable("profile", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  gstin: text("gstin"),
  state: text("state"),
  stateCode: text("state_code"),
  address: text("address"),
  email: text("email"),
  invoicePrefix: text("invoice_prefix").notNull().default("INV"),
  creditNotePrefix: text("credit_note_prefix").notNull().default("CN"),
  phone: text("phone"),
  logoUrl: text("logo_url"),
  logoPath: text("logo_path"),
  logoType: text("logo_type"),
  upiId: text("upi_id"),
  invoicesPayableOnline: integer("invoices_payable_online").notNull().default(1),
  allowNegativeStock: integer("allow_negative_stock").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** The letter of undertaking for supplies without tax, and the last day on which it counts. */
  lutNumber: text("lut_number"),
  lutValidUntil: text("lut_valid_until"),
  gstStatus: text("gst_status").$type<GstStatus>(),
  taxRegistered: integer("tax_registered"),
  taxLabel: text("tax_label"),
  taxNumber: text("tax_number"),
  taxNumberLabel: text("tax_number_label"),
  bankName: text("bank_name"),
  bankAccountName: text("bank_account_name"),
  bankAccountNumber: text("bank_account_number"),
  bankIfsc: text("bank_ifsc"),
  bankSwift: text("bank_swift"),
  /** The currency of the books, and the month in which the financial year starts. */
  booksCurrency: text("books_currency").notNull(),
  financialYearMonth: integer("financial_year_month").notNull(),
});

/** The folder that the logo is kept in. */
export const LOGOS = "logos";

export const logoFiles: KeptFiles = { folder: LOGOS, path: profile.logoPath, type: profile.logoType };
