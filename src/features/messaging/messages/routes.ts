import { Router } from "#contract/operation.ts";
import { cancelMessage } from "./cancel-message.ts";
import { cancelledExample, messageExample } from "./examples.ts";
import { getMessage } from "./get-message.ts";
import { listMessages } from "./list-messages.ts";
import { messageResource } from "./resource.ts";
import { Message, MessageParams, MessageQuery } from "./schema.ts";
import { renderMessage } from "./snapshot.ts";

export const messageRoutes = new Router("Messaging")
  .list(
    {
      id: "listMessages",
      method: "get",
      path: "/messaging/:company/messages",
      summary: "List messages",
      description: "Newest first, of all channels.",
      scope: "messages:read",
      query: MessageQuery,
      result: Message,
      example: { result: messageExample },
      render: renderMessage,
      sort: (row) => [row.id],
    },
    listMessages,
  )
  .add(
    {
      id: "getMessage",
      method: "get",
      path: "/messaging/:company/messages/:id",
      summary: "Read a message",
      description: "Its status is what the provider told last; its text is not shown.",
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
      changes: [messageResource],
      path: "/messaging/:company/messages/:id/cancel",
      summary: "Cancel a message",
      description:
        "One that nobody was sent yet, such as a scheduled one: it ends as `failed` with `error.code` `cancelled`. By its own id alone.",
      scope: "messages:write",
      params: MessageParams,
      result: Message,
      problems: ["invalid_status"],
      example: { result: { ...messageExample, ...cancelledExample } },
      render: renderMessage,
    },
    cancelMessage,
  );
