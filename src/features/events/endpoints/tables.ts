import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

/** Where a company's events are sent. */
export const eventEndpoints = recordTable("event_endpoints", {
  url: text("url").notNull(),
  description: text("description").notNull(),
  /** The words as they were sent, as JSON. */
  types: text("types").notNull(),
  /** Null while it is active. */
  disabledReason: text("disabled_reason").$type<"gone" | "exhausted" | "by_hand">(),
  /** In a row, since the last success. */
  failures: integer("failures").notNull().default(0),
  /** What became of the last 20 requests, the latest last: `.` for a success, `x` for a failure. */
  outcomes: text("outcomes").notNull().default(""),
  /** While most of them fail. */
  failingSince: integer("failing_since"),
  /** While it fails: how many tries were made in a row, one at a time. */
  probes: integer("probes").notNull().default(0),
  /** While it fails: when the next try is due. */
  probeAt: integer("probe_at").notNull().default(0),
  /** Encrypted, as is the previous one. */
  encryptedSecret: text("sealed_secret").notNull(),
  secretLastFour: text("secret_last_four").notNull(),
  previousEncryptedSecret: text("previous_sealed_secret"),
  previousSecretExpiresAt: integer("previous_secret_expires_at"),
  /** When its name last had public addresses alone. */
  checkedAt: integer("checked_at").notNull(),
  lastSuccessAt: integer("last_success_at"),
  lastFailureAt: integer("last_failure_at"),
});

/** What an endpoint asks for: a row for each of its words. */
export const eventEndpointTypes = sqliteTable(
  "event_endpoint_types",
  { word: text("word").notNull(), endpointId: integer("endpoint_id").notNull() },
  (table) => [primaryKey({ columns: [table.word, table.endpointId] })],
);

/** The types on demand that an active endpoint asks for. */
export const eventTypesWanted = sqliteTable("event_types_wanted", { type: text("type").primaryKey() });
