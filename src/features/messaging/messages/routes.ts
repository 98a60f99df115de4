import { Router } from "#api/operations/operation.ts";
import { cancelMessage } from "./cancel-message.ts";
import { cancelledExample, messageExample } from "./examples.ts";
import { getMessage } from "./get-message.ts";
import { listMessages } from "./list-messages.ts";
import { Message, renderMessage } from "./record.ts";
import { MessageParams, MessageQuery } from "./schema.ts";

export const messageRoutes = new Router("Messaging")
  .list(
    {
      id: "listMessages",
      path: "/messaging/:company/messages",
      summary: "List messages",
      description: "Newest first, of all channels.",
      scope: "messages:read",
      query: MessageQuery,
      result: Message,
      example: { result: messageExample },
      render: renderMessage,
    },
    listMessages,
  )
  .add(
    {
      id: "getMessage",
      method: "get",
      path: "/messaging/:company/messages/:id",
      summary: "Read a message",
      description: "The status is the provider's last report. The text is not shown.",
      scope: "messages:read",
      params: MessageParams,
      result: Message,
      example: { result: messageExample },
      render: renderMessage,
    },
    getMessage,
  )
  .add(
    {
      id: "cancelMessage",
      method: "post",
      changes: ["message"],
      path: "/messaging/:company/messages/:id/cancel",
      summary: "Cancel a message",
      description:
        "Only a message that was sent to no recipient yet, such as a scheduled one. It ends as `failed` with `error.code` `cancelled`. Only its own id is accepted.",
      scope: "messages:write",
      params: MessageParams,
      result: Message,
      problems: ["invalid_status"],
      example: { result: { ...messageExample, ...cancelledExample } },
      render: renderMessage,
    },
    cancelMessage,
  );
