import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const operations = sqliteTable("operations", {
  scope: text("scope").primaryKey(),
  fingerprint: text("fingerprint").notNull(),
  snapshot: text("snapshot"),
  refused: text("refused"),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

/** Inserting a code here aborts the batch with that code: a trigger raises it. */
export const refusal = sqliteTable("refusal", { code: text("code").notNull() });

export const auditLog = sqliteTable("audit_log", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  at: integer("at").notNull(),
  actor: text("actor").notNull(),
  action: text("action").notNull(),
  record: text("record").notNull(),
  requestId: text("request_id").notNull(),
  note: text("note"),
});

export const numberGaps = sqliteTable(
  "number_gaps",
  {
    series: text("series").notNull(),
    period: text("period").notNull(),
    after: integer("after").notNull(),
    through: integer("through").notNull(),
    notedAt: integer("noted_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.series, table.period, table.after] })],
);

export const numberSeries = sqliteTable(
  "number_series",
  { series: text("series").notNull(), period: text("period").notNull(), last: integer("last").notNull() },
  (table) => [primaryKey({ columns: [table.series, table.period] })],
);
