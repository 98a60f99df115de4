import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const financialYears = sqliteTable("financial_years", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull(),
  startDate: text("start_date").notNull(),
  endDate: text("end_date").notNull(),
  isClosed: integer("is_closed").notNull().default(0),
});

export const journalEntries = sqliteTable("journal_entries", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  ordinal: integer("ordinal").notNull(),
  entryNumber: text("entry_number").notNull(),
  entryDate: text("entry_date").notNull(),
  voucherType: text("voucher_type").notNull(),
  sourceType: text("source_type").notNull(),
  sourceId: integer("source_id").notNull(),
  status: text("status").$type<"draft" | "posted" | "voided">().notNull().default("draft"),
  reversalOf: integer("reversal_of"),
  narration: text("narration").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const journalLines = sqliteTable(
  "journal_lines",
  {
    entryId: integer("entry_id").notNull(),
    position: integer("position").notNull(),
    accountId: integer("account_id").notNull(),
    debit: integer("debit").notNull().default(0),
    credit: integer("credit").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.position] })],
);

/** A view that a trigger writes: an entry with its lines, posted by one INSERT. `lines` is JSON. */
export const journalPostings = sqliteTable("journal_postings", {
  operation: text("operation").notNull(),
  ordinal: integer("ordinal").notNull(),
  period: text("period").notNull(),
  entryDate: text("entry_date").notNull(),
  voucherType: text("voucher_type").notNull(),
  sourceType: text("source_type").notNull(),
  sourceId: integer("source_id").notNull(),
  narration: text("narration").notNull(),
  createdAt: integer("created_at").notNull(),
  yearName: text("year_name"),
  yearStart: text("year_start"),
  yearEnd: text("year_end"),
  customerId: integer("customer_id").notNull(),
  lines: text("lines").notNull(),
});
