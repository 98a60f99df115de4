import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { UnpostedReason } from "#shared/posting.ts";

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
  isSystem: integer("is_system").notNull().default(0),
});

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

export const unposted = sqliteTable("unposted", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  sourceType: text("source_type").$type<"invoice" | "payment" | "order">().notNull(),
  sourceId: integer("source_id").notNull(),
  voucherType: text("voucher_type").notNull(),
  reason: text("reason").$type<UnpostedReason>().notNull(),
  createdAt: integer("created_at").notNull(),
});
