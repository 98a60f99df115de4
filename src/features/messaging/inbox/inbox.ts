import { eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import type { Listed, Page } from "#shared/page.ts";
import { inboundMessages as inbound } from "#tables/messaging";
import { belowInbound, inboundIdAt } from "../timed-ids.ts";
import { type InboundRow, inboundMessage } from "./record.ts";
import type { InboundParams, InboundPatch, InboundQuery } from "./schema.ts";
import { senderOf } from "./store-inbound.ts";

/** What people wrote to the company, newest first. */
export function listInbound(
  ctx: CallCtx,
  _params: unknown,
  { channel, from, unread, created_from, created_to, page }: InboundQuery & { page: Page },
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

/** One message that a person wrote. */
export function getInbound(ctx: CallCtx, { id }: InboundParams): Promise<InboundRow> {
  return readOne(ctx, inboundMessage.select(eq(inbound.id, id)));
}

/** Marks it as read, which keeps the time at which it first was, or as unread. */
export function updateInbound(
  ctx: WriteCtx,
  { id }: InboundParams,
  { read }: InboundPatch,
): Promise<InboundRow> {
  const readAt = read ? sql`coalesce(${inbound.readAt}, ${ctx.now})` : null;
  return atomic(
    ctx,
    [ctx.db.update(inbound).set({ readAt }).where(eq(inbound.id, id))],
    inboundMessage.select(eq(inbound.id, id)),
  );
}
