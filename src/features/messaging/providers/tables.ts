import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";
import type { Channel } from "../messages/tables.ts";

export const messagingProviders = recordTable("messaging_providers", {
  channel: text("channel").$type<Channel>().notNull(),
  kind: text("kind").notNull(),
  /** As a read shows it: of a secret only its last four characters. */
  config: text("config").notNull(),
  encryptedConfig: text("sealed_config").notNull(),
  encryptedToken: text("sealed_token").notNull(),
  tokenHash: text("token_hash").notNull(),
  previousTokenHash: text("previous_token_hash"),
  previousTokenExpiresAt: integer("previous_token_expires_at"),
  isActive: integer("is_active").notNull(),
  isDefault: integer("is_default").notNull(),
  lastError: text("last_error"),
  pausedAt: integer("paused_at"),
  /** In succession: since the last answer that was one. */
  failures: integer("failures").notNull().default(0),
  restsUntil: integer("rests_until"),
});
