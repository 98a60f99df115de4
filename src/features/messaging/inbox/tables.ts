import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { InboundType } from "#shared/contact/inbound-types.ts";

export const inboundMessages = sqliteTable("inbound_messages", {
  id: text("id").primaryKey(),
  channel: text("channel").$type<"sms" | "chatapp">().notNull(),
  provider: text("provider").notNull(),
  providerMessageId: text("provider_message_id"),
  /** The provider's id of it, or a hash of sender, text and minute. */
  knownAs: text("known_as").notNull(),
  /** In E.164, or as the provider sent it. */
  sender: text("sender").notNull(),
  recipient: text("recipient"),
  type: text("type").$type<InboundType>().notNull(),
  /** Erased before the rest of the row. */
  text: text("text"),
  mediaType: text("media_type"),
  /** Our id of the message that it answers. */
  replyTo: text("reply_to"),
  customerId: integer("customer_id"),
  sentAt: integer("sent_at"),
  receivedAt: integer("received_at").notNull(),
  readAt: integer("read_at"),
});
