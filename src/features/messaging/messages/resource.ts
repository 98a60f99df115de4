import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { messageExample } from "./examples.ts";
import { Message } from "./schema.ts";
import { renderMessage, selectMessages } from "./snapshot.ts";
import { messages } from "./tables.ts";

/** The data of message events: never the text. */
export const messageResource = resource({
  name: "message",
  scope: "messages:read",
  record: Message,
  example: messageExample,
  select: (_ctx, id) => selectMessages(sql`${messages} WHERE ${messages.id} = ${id}`),
  render: renderMessage,
});
