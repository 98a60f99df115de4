import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What is said of a company here and in the copy that its own database keeps. */
export const companyColumns = {
  slug: text("slug").notNull(),
  name: text("name").notNull(),
  country: text("country").notNull(),
  currency: text("currency").notNull(),
  timezone: text("timezone").notNull(),
  rateLimitCeiling: integer("rate_limit_ceiling").notNull().default(1_000_000),
  messagingRateCeiling: integer("messaging_rate_ceiling").notNull().default(1_000_000),
  messagingCapCeiling: integer("messaging_cap_ceiling").notNull().default(1_000_000),
  /** Of the whole company; null: none. */
  callsCeiling: integer("calls_ceiling"),
  messagesCeiling: integer("messages_ceiling"),
  keysCeiling: integer("keys_ceiling"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
};

/** The same of a key. */
export const keyColumns = {
  type: text("type").$type<"secret" | "publishable">().notNull(),
  name: text("name").notNull(),
  scopes: text("scopes").notNull().default("[]"),
  allowedOrigins: text("allowed_origins").notNull().default("[]"),
  secretHash: text("secret_hash"),
  secretLastFour: text("secret_last_four"),
  previousSecretHash: text("previous_secret_hash"),
  previousSecretExpiresAt: integer("previous_secret_expires_at"),
  rateLimitPerMinute: integer("rate_limit_per_minute").notNull(),
  messagingRatePerMinute: integer("messaging_rate_per_minute").notNull(),
  messagingDailyCap: integer("messaging_daily_cap").notNull(),
  expiresAt: integer("expires_at"),
  revokedAt: integer("revoked_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
};

export const companies = sqliteTable("companies", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  ...companyColumns,
  status: text("status").$type<"provisioning" | "active" | "suspended">().notNull(),
  closedAt: integer("closed_at"),
  databaseUrl: text("database_url"),
  databaseToken: text("database_token"),
  databaseName: text("database_name").notNull(),
  clockOffsetMs: integer("clock_offset_ms").notNull().default(0),
  nextSweepAt: integer("next_sweep_at"),
  reservation: text("reservation").notNull(),
  reservedAt: integer("reserved_at").notNull(),
  migratedAs: text("migrated_as"),
  schemaNumber: integer("schema_number").notNull().default(0),
  spareDatabaseName: text("spare_database_name"),
  spareDatabaseUrl: text("spare_database_url"),
  spareDatabaseToken: text("spare_database_token"),
  databaseGeneration: integer("database_generation").notNull().default(1),
});

export const abandonedDatabases = sqliteTable("abandoned_databases", {
  name: text("name").primaryKey(),
  triedAt: integer("tried_at").notNull(),
});

/** When this database was put back from a backup, and when the companies' copies had been taken in. */
export const controlRestores = sqliteTable("control_restores", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  takenAt: integer("taken_at").notNull(),
  restoredAt: integer("restored_at").notNull(),
  adoptedAt: integer("adopted_at"),
});

/** Which companies a release may upgrade. */
export const rollouts = sqliteTable("rollouts", {
  schemaNumber: integer("schema_number").primaryKey(),
  state: text("state").$type<"canary" | "open" | "stopped">().notNull(),
  canaries: text("canaries").notNull().default("[]"),
  updatedAt: integer("updated_at").notNull(),
});

export const failedUpgrades = sqliteTable("failed_upgrades", {
  companyId: integer("company_id").primaryKey(),
  schemaNumber: integer("schema_number").notNull(),
  error: text("error").notNull(),
  failedAt: integer("failed_at").notNull(),
});

export const chatappNumbers = sqliteTable("chatapp_numbers", {
  phoneNumberId: text("phone_number_id").primaryKey(),
  companyId: integer("company_id").notNull(),
  assignedAt: integer("assigned_at").notNull(),
});

/** The last link of each company's audit log. */
export const auditHeads = sqliteTable("audit_heads", {
  companyId: integer("company_id").primaryKey(),
  lastId: integer("last_id").notNull(),
  hash: text("hash").notNull(),
  chainedAt: integer("chained_at").notNull(),
});

/** When the minute's cron, and the consumer of each queue, last did their work. */
export const heartbeats = sqliteTable("heartbeats", {
  name: text("name").primaryKey(),
  at: integer("at").notNull(),
});

/** When each company was last backed up, what its last check found, and when its database's token was renewed. */
export const companyUpkeep = sqliteTable("company_upkeep", {
  companyId: integer("company_id").primaryKey(),
  backedUpAt: integer("backed_up_at"),
  backupBytes: integer("backup_bytes"),
  checkedAt: integer("checked_at"),
  brokenRules: integer("broken_rules"),
  tokenRenewedAt: integer("token_renewed_at"),
});

/** What each company erased for good, as its audit log has it. */
export const erasures = sqliteTable(
  "erasures",
  {
    companyId: integer("company_id").notNull(),
    action: text("action").notNull(),
    record: text("record").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.action, table.record] })],
);

export const keyRotations = sqliteTable("key_rotations", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  keyId: text("key_id").notNull(),
  startedBy: text("started_by").notNull(),
  requestId: text("request_id").notNull(),
  startedAt: integer("started_at").notNull(),
});

export const resealings = sqliteTable("resealings", {
  /** 0 for the control database. */
  companyId: integer("company_id").primaryKey(),
  rotationId: integer("rotation_id").notNull(),
  status: text("status").$type<"waiting" | "done" | "failed">().notNull(),
  progress: text("progress"),
  found: text("found").notNull(),
  error: text("error"),
  dueAt: integer("due_at").notNull(),
  lookedAt: integer("looked_at"),
});

export const apiKeys = sqliteTable("api_keys", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  companyId: integer("company_id").notNull(),
  clientId: text("client_id").notNull(),
  ...keyColumns,
  lastUsedAt: integer("last_used_at"),
  issuedBy: text("issued_by"),
});
