import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { UnpostedReason } from "#shared/payments/posting-warnings.ts";

export const unposted = sqliteTable("unposted", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  sourceType: text("source_type")
    .$type<
      | "invoice"
      | "payment"
      | "advance"
      | "credit_note"
      | "credit_payout"
      | "gateway_refund"
      | "lesson_receipt"
      | "lesson"
    >()
    .notNull(),
  sourceId: integer("source_id").notNull(),
  voucherType: text("voucher_type").notNull(),
  reason: text("reason").$type<UnpostedReason>().notNull(),
  createdAt: integer("created_at").notNull(),
});
