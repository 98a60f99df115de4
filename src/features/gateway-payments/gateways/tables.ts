import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";
import type { GatewayKind } from "#shared/payments/gateways.ts";

export const gatewayAccounts = recordTable("gateway_accounts", {
  kind: text("kind").$type<GatewayKind>().notNull(),
  mode: text("mode").$type<"test" | "live">().notNull(),
  currencies: text("currencies").notNull(),
  priority: integer("priority").notNull(),
  isActive: integer("is_active").notNull(),
  /** Encrypted, as are the secrets below. */
  credentials: text("credentials").notNull(),
  webhookSecret: text("webhook_secret"),
  previousWebhookSecret: text("previous_webhook_secret"),
  previousValidUntil: integer("previous_valid_until"),
  /** The last four characters of each secret, by its name, as JSON. */
  lastFour: text("last_four").notNull(),
});
