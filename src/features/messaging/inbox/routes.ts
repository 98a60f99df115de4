import { Router } from "#api/operations/operation.ts";
import { inboundExample } from "./examples.ts";
import { getInbound, listInbound, updateInbound } from "./inbox.ts";
import { inboundMessage } from "./record.ts";
import { InboundParams, InboundPatch, InboundQuery } from "./schema.ts";

export const inboxRoutes = new Router("Messaging")
  .list(
    {
      id: "listInbound",
      path: "/messaging/:company/inbound",
      summary: "List inbound messages",
      description: "SMS and chat-app messages to the company, newest first. Each is stored once.",
      scope: "messages:read",
      query: InboundQuery,
      record: inboundMessage,
      example: { result: inboundExample },
    },
    listInbound,
  )
  .add(
    {
      id: "getInbound",
      method: "get",
      path: "/messaging/:company/inbound/:id",
      summary: "Read an inbound message",
      scope: "messages:read",
      params: InboundParams,
      record: inboundMessage,
      example: { result: inboundExample },
    },
    getInbound,
  )
  .add(
    {
      id: "updateInbound",
      method: "patch",
      path: "/messaging/:company/inbound/:id",
      summary: "Mark an inbound message as read",
      scope: "messages:write",
      params: InboundParams,
      body: InboundPatch,
      record: inboundMessage,
      example: { body: { read: true }, result: { ...inboundExample, read_at: "2026-11-21T09:31:00.000Z" } },
    },
    updateInbound,
  );
