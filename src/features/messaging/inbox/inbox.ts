import { eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import { instant } from "#shared/fields/instant.ts";
import { booleanParameter } from "#shared/fields/query.ts";
import type { Listed, Page } from "#shared/page.ts";
import { inboundMessages as inbound } from "#tables/messaging";
import { belowInbound, inboundIdAt } from "../timed-ids.ts";
import { type InboundRow, inboundMessage } from "./record.ts";
import { senderOf } from "./store-inbound.ts";

const InboundParams = z.object({ id: z.string() });
const InboundQuery = z.object({
  channel: z.enum(["sms", "chatapp"]).optional(),
  from: z.string().min(1).max(40).optional().meta({
    description: "The sender: a number in E.164, or as dialled in the company's country.",
  }),
  unread: booleanParameter.optional().meta({
    description: "`true`: only messages not marked as read. `false`: only messages marked as read.",
  }),
  created_from: instant.optional().meta({ description: "By `received_at`." }),
  created_to: instant.optional().meta({ description: "Not included." }),
});
const InboundPatch = z.object({
  read: z.boolean().meta({ description: "`true` marks an unread message as read now." }),
});
type InboundParams = z.output<typeof InboundParams>;

export const inboxRoutes = new Router("Messaging", "/inbound", {
  record: inboundMessage,
  params: InboundParams,
})
  .list({ listInbound }, "/", {
    summary: "List inbound messages",
    description: "SMS and chat-app messages to the company, newest first. Each is stored once.",
    query: InboundQuery,
  })
  .get({ getInbound: (ctx, { id }) => readOne(ctx, inboundMessage.select(eq(inbound.id, id))) }, "/:id", {
    summary: "Read an inbound message",
  })
  .patch({ updateInbound }, "/:id", {
    summary: "Mark an inbound message as read",
    body: InboundPatch,
  });

/** What people wrote to the company, newest first. */
function listInbound(
  ctx: CallCtx,
  _params: unknown,
  { channel, from, unread, created_from, created_to, page }: z.output<typeof InboundQuery> & { page: Page },
): Promise<Listed<InboundRow>> {
  const conditions: SQL[] = [sql`${inbound.id} < ${belowInbound(page, created_to)}`];
  if (created_from !== undefined) conditions.push(sql`${inbound.id} >= ${inboundIdAt(created_from)}`);
  if (channel !== undefined) conditions.push(eq(inbound.channel, channel));
  if (from !== undefined) conditions.push(eq(inbound.sender, senderOf(ctx.company.country, "sms", from)));
  if (unread !== undefined) conditions.push(unread ? isNull(inbound.readAt) : isNotNull(inbound.readAt));
  const where = sql.join(conditions, sql` AND `);
  return readList(
    ctx,
    page,
    inboundMessage.select(sql`${where} ORDER BY ${inbound.id} DESC LIMIT ${page.take}`),
  );
}

/** Marks it as read, which keeps the time at which it first was, or as unread. */
function updateInbound(
  ctx: WriteCtx,
  { id }: InboundParams,
  { read }: z.output<typeof InboundPatch>,
): Promise<InboundRow> {
  const readAt = read ? sql`coalesce(${inbound.readAt}, ${ctx.now})` : null;
  return atomic(
    ctx,
    [ctx.db.update(inbound).set({ readAt }).where(eq(inbound.id, id))],
    inboundMessage.select(eq(inbound.id, id)),
  );
}
