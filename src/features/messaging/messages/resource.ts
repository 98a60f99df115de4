import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { messageExample } from "./examples.ts";
import { Message } from "./schema.ts";
import { renderMessage, selectMessages } from "./snapshot.ts";
import { messages } from "./tables.ts";

/** What events tell of messages: never their texts. */
export const messageResource = resource({
  name: "message",
  scope: "messages:read",
  record: Message,
  example: messageExample,
  select: (_ctx, id) => selectMessages(sql`${messages} WHERE ${messages.id} = ${id}`),
  render: renderMessage,
  upgrades: [(row: object) => ({ ...row, rule: null })],
});
