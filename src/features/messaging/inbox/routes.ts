import { Router } from "#api/operations/operation.ts";
import { getInbound, listInbound, updateInbound } from "./inbox.ts";
import { inboundMessage } from "./record.ts";
import { InboundParams, InboundPatch, InboundQuery } from "./schema.ts";

export const inboxRoutes = new Router("Messaging", "/inbound", {
  record: inboundMessage,
  params: InboundParams,
})
  .list({ listInbound }, "/", {
    summary: "List inbound messages",
    description: "SMS and chat-app messages to the company, newest first. Each is stored once.",
    query: InboundQuery,
  })
  .get({ getInbound }, "/:id", { summary: "Read an inbound message" })
  .patch({ updateInbound }, "/:id", {
    summary: "Mark an inbound message as read",
    body: InboundPatch,
  });
