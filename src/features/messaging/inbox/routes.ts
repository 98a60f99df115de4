import { Router } from "#api/operations/operation.ts";
import { inboundExample } from "./examples.ts";
import { getInbound, listInbound, updateInbound } from "./inbox.ts";
import { inboundMessage } from "./record.ts";
import { InboundParams, InboundPatch, InboundQuery } from "./schema.ts";

export const inboxRoutes = new Router("Messaging")
  .list(
    {
      id: "listInbound",
      method: "get",
      path: "/messaging/:company/inbound",
      summary: "List inbound messages",
      description: "SMS and chat-app messages to the company, newest first. Each is stored once.",
      scope: "messages:read",
      query: InboundQuery,
      result: inboundMessage.schema,
      example: { result: inboundExample },
      render: inboundMessage.render,
      sort: (row) => [row.id],
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
      result: inboundMessage.schema,
      example: { result: inboundExample },
      render: inboundMessage.render,
    },
    getInbound,
  )
  .add(
    {
      id: "updateInbound",
      method: "patch",
      changes: [],
      path: "/messaging/:company/inbound/:id",
      summary: "Mark an inbound message as read",
      scope: "messages:write",
      params: InboundParams,
      body: InboundPatch,
      result: inboundMessage.schema,
      example: { body: { read: true }, result: { ...inboundExample, read_at: "2026-11-21T09:31:00.000Z" } },
      render: inboundMessage.render,
    },
    updateInbound,
  );
