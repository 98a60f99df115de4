import { Router } from "#api/operations/operation.ts";
import { cancelMessage } from "./cancel-message.ts";
import { getMessage, listMessages } from "./read.ts";
import { Message, renderMessage } from "./record.ts";
import { MessageParams, MessageQuery } from "./schema.ts";

export const messageRoutes = new Router("Messaging", "/messages", {
  record: { schema: Message, render: renderMessage },
  params: MessageParams,
})
  .list({ listMessages }, "/", {
    summary: "List messages",
    description: "Newest first, of all channels.",
    query: MessageQuery,
  })
  .get({ getMessage }, "/:id", {
    summary: "Read a message",
    description: "The status is the provider's last report. The text is not shown.",
  })
  .post({ cancelMessage }, "/:id/cancel", {
    changes: ["message"],
    summary: "Cancel a message",
    description:
      "Only a message that was sent to no recipient yet, such as a scheduled one. It ends as `failed` with `error.code` `cancelled`. Only its own id is accepted.",
    problems: ["invalid_status"],
  });
