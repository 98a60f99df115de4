import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What money moves from and to: sources, the pool of a sale, documents, credit, and where it went. */
type MoveEnd =
  | "capture"
  | "hand"
  | "tds"
  | "pool"
  | "to_allocate"
  | "invoice"
  | "receipt"
  | "note"
  | "refund"
  | "payer"
  | "payout"
  | "settled"
  | "fee";

/** Money as moves. Triggers write them beside the amounts that are answered. */
export const moneyMoves = sqliteTable("money_moves", {
  key: text("key").primaryKey(),
  sale: text("sale").notNull(),
  fromKind: text("from_kind").$type<MoveEnd>().notNull(),
  fromId: integer("from_id"),
  toKind: text("to_kind").$type<MoveEnd>().notNull(),
  toId: integer("to_id"),
  captureId: integer("capture_id"),
  amount: integer("amount").notNull(),
  currency: text("currency").notNull(),
  takesBack: text("takes_back"),
  sourceType: text("source_type").notNull(),
  sourceId: integer("source_id").notNull(),
  operation: text("operation"),
  day: text("day"),
  createdAt: integer("created_at"),
});

/** Of the records that were there before moves were: through which of them they have become moves. */
export const convertedMoves = sqliteTable("converted_moves", {
  sourceType: text("source_type").primaryKey(),
  through: integer("through").notNull(),
  until: integer("until").notNull(),
});
