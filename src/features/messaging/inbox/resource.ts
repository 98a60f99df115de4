import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { inboundExample } from "./examples.ts";
import { InboundMessage } from "./schema.ts";
import { renderInbound, selectInbound } from "./snapshot.ts";
import { inboundMessages } from "./tables.ts";

/** The data of events of inbound messages. */
export const inboundResource = resource({
  name: "inbound_message",
  scope: "messages:read",
  record: InboundMessage,
  example: inboundExample,
  select: (_ctx, id) => selectInbound(sql`${inboundMessages.id} = ${id}`),
  render: renderInbound,
});
