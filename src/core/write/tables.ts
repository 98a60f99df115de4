import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SettingName } from "#shared/settings.ts";

export const operations = sqliteTable("operations", {
  /** Of a call: from its Idempotency-Key, or fresh. */
  idempotencyRecordKey: text("scope").primaryKey(),
  fingerprint: text("fingerprint").notNull(),
  snapshot: text("snapshot"),
  before: text("before"),
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

/** What changed a setting that the company gets a notice of; triggers make the notice. */
export const settingChanges = sqliteTable("setting_changes", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  rule: text("rule").notNull(),
  setting: text("setting").$type<SettingName>().notNull(),
  actor: text("actor").notNull(),
  at: integer("at").notNull(),
  was: text("was").notNull(),
  becomes: text("becomes"),
  route: text("route"),
  notificationId: integer("notification_id"),
  messageId: text("message_id"),
});

/** Of the row of an update: the names of the members that it changed, as JSON. */
export const auditChanges = sqliteTable("audit_changes", {
  auditId: integer("audit_id").primaryKey(),
  fields: text("fields").notNull(),
  /** What they were and became, of those of which the call keeps it, as JSON. */
  kept: text("kept"),
});

/** A link of the chain of the audit log: the rows after those of the link before, through `lastId`. */
export const auditLinks = sqliteTable("audit_links", {
  lastId: integer("last_id").primaryKey(),
  /** The master key that the link's own key is derived from, by its public name. */
  keyId: text("key_id").notNull(),
  hash: text("hash").notNull(),
  chainedAt: integer("chained_at").notNull(),
});

/** One row, once something was erased: the last link of what is gone. */
export const auditCut = sqliteTable("audit_cut", {
  id: integer("id").primaryKey(),
  lastId: integer("last_id").notNull(),
  hash: text("hash").notNull(),
  chainedAt: integer("chained_at").notNull(),
});

/** The keys of the links. */
export const auditKeys = sqliteTable("audit_keys", {
  keyId: text("key_id").primaryKey(),
  sealed: text("sealed").notNull(),
});

/** Of a record whose final columns may not change unseen; `lastId` is of the link that holds it too. */
export const paperDigests = sqliteTable(
  "paper_digests",
  {
    kind: text("kind").notNull(),
    recordId: integer("record_id").notNull(),
    keyId: text("key_id").notNull(),
    digest: text("digest").notNull(),
    lastId: integer("last_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.recordId] })],
);

/** One row, once a person was erased: the company's own key for hashes. */
export const hmacKey = sqliteTable("mark_key", {
  id: integer("id").primaryKey(),
  sealed: text("sealed").notNull(),
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

export const numberPrefixes = sqliteTable("number_prefixes", {
  prefix: text("prefix").primaryKey(),
  series: text("series").notNull(),
});

export const numberSeries = sqliteTable(
  "number_series",
  { series: text("series").notNull(), period: text("period").notNull(), last: integer("last").notNull() },
  (table) => [primaryKey({ columns: [table.series, table.period] })],
);

/** What became of records: written by triggers, and stamped by the last statement of their batch. */
export const events = sqliteTable("events", {
  sequence: integer("sequence").primaryKey({ autoIncrement: true }),
  id: text("id").notNull().default(""),
  type: text("type").notNull(),
  resource: text("resource").notNull(),
  recordId: text("record_id").notNull(),
  at: integer("at"),
  previous: text("previous"),
  related: text("related"),
  /** Who did it, as JSON. */
  actor: text("actor"),
  requestId: text("request_id"),
  shape: integer("shape"),
  snapshot: text("snapshot"),
  isNotified: integer("is_notified").notNull().default(0),
  isNoticed: integer("is_noticed").notNull().generatedAlwaysAs(sql``),
});
