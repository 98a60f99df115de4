import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { CallCtx, SealCtx, UnattendedCtx } from "#platform/context.ts";
import { markerOf, sealedMarkKey } from "#platform/secrets/company-marks.ts";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { unattended } from "#platform/write/atomic.ts";
import { CONTENTS, type MessageContent } from "#providers/messaging";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { profile } from "#tables/company";
import { blockOf } from "../contacts/block.ts";
import { marksBy } from "../contacts/marks.ts";
import { matchOf, numberOf } from "../contacts/matching.ts";
import { type Channel, messageRecipients, messages } from "../messages/tables.ts";
import { messagingProviders } from "../providers/tables.ts";
import { isMarketing } from "../send/store-message.ts";
import { hasRoom } from "./room.ts";
import { isUnsent } from "./unsent.ts";

const LEASE_MS = MINUTE_MS;

const providerShape = {
  id: messagingProviders.id,
  operation: messagingProviders.operation,
  sealed_config: messagingProviders.sealedConfig,
  sealed_token: messagingProviders.sealedToken,
  paused_at: messagingProviders.pausedAt,
};
export type ClaimedProvider = JsonRow<typeof providerShape>;

const shape = {
  id: messageRecipients.id,
  message_id: messageRecipients.messageId,
  ordinal: messageRecipients.ordinal,
  address: messageRecipients.address,
  name: messageRecipients.name,
  /** How often its provider was asked before. */
  attempts: messageRecipients.attempts,
  in_doubt: messageRecipients.inDoubt,
  /** Since when it may be sent. */
  since: sql<number>`coalesce(${messages.sendAt}, ${messages.createdAt})`,
  kind: messageRecipients.provider,
  provider: sql<ClaimedProvider | null>`iif(${messagingProviders.id} IS NULL, NULL, ${jsonObject(providerShape)})`,
  company: jsonObject({ name: profile.name, email: profile.email }),
  mark_key: sealedMarkKey,
};
const contentShape = { channel: messages.channel, content: sql<unknown>`json(${messages.content})` };
const columns = once(() => jsonObject({ ...shape, ...contentShape }));
type Said = MessageContent | { channel: Channel; content: null };

/** All that sending to one recipient takes. `content` is null once it is purged, before the message itself is. */
export type Claimed = Said & JsonRow<typeof shape>;

/** A recipient that is now ours to send to; one whose account has no room; or one that another has or is done with. */
export type Claim = Claimed | "no room" | "not ours";

/**
 * Takes a recipient for a minute where its account has room, and asks nobody yet: the row stays `pending`. The claim
 * carries this run's name, so a retry after a lost answer still owns it. A row found `dispatching` with a lapsed claim is
 * in doubt: its provider may have been asked.
 */
export async function claimRecipient(ctx: CallCtx & UnattendedCtx, recipient: number): Promise<Claim> {
  const run = ctx.call.id;
  const { id, providerMessageId, dispatchState, claim, claimUntil, inDoubt } = messageRecipients;
  const isOurs = and(eq(dispatchState, "pending"), eq(claim, run));
  const carrier = sql`(SELECT ${messages.providerId} FROM ${messages} WHERE ${messages.id} = ${messageRecipients.messageId})`;
  const isFree = and(lte(claimUntil, ctx.now), hasRoom(ctx, carrier));
  const results = await unattended(ctx, [
    ctx.db
      .update(messageRecipients)
      .set({
        inDoubt: sql`${inDoubt} OR ${dispatchState} = 'dispatching'`,
        dispatchState: "pending",
        claim: run,
        claimUntil: ctx.now + LEASE_MS,
      })
      .where(and(eq(id, recipient), isNull(providerMessageId), isUnsent, or(isFree, isOurs))),
    sql`SELECT ${columns()} AS snapshot
      FROM ${messageRecipients} JOIN ${messages} ON ${messages.id} = ${messageRecipients.messageId}
      LEFT JOIN ${messagingProviders} ON ${messagingProviders.id} = ${messages.providerId}, ${profile}
      WHERE ${id} = ${recipient} AND ${isOurs}`,
    ctx.db
      .select({ claimUntil })
      .from(messageRecipients)
      .where(and(eq(id, recipient), isUnsent)),
  ]);
  const snapshot = results[1]?.rows[0]?.snapshot;
  if (snapshot !== undefined) return parsed(JSON.parse(String(snapshot)));
  const heldUntil = results[2]?.rows[0]?.claim_until;
  return heldUntil !== undefined && Number(heldUntil) <= ctx.now ? "no room" : "not ours";
}

/** Whether a provider may be asked now: yes, no longer for another run has the recipient, or not ever for they opted out. */
export type Asking = "now" | "lost" | ReturnType<typeof blockOf>;

/**
 * Says in the row that its provider is asked from now on, which counts as an attempt: a run that dies before this has
 * asked nobody. Whoever opted out since the message was accepted is not written to, unless they may have been already.
 */
export async function beginAsking(ctx: CallCtx & UnattendedCtx & SealCtx, claimed: Claimed): Promise<Asking> {
  const { id, dispatchState, attempts, claim } = messageRecipients;
  const { channel, address } = claimed;
  const mine = and(eq(id, claimed.id), eq(claim, ctx.call.id));
  const item = { match: matchOf(channel, address), e164: numberOf(ctx.company.country, channel, address) };
  const erased =
    claimed.mark_key === null
      ? undefined
      : {
          number: item.e164,
          marks: await marksBy(await markerOf(ctx, claimed.mark_key), channel, item),
        };
  const block = blockOf(channel, ctx.now, isMarketing(claimed), item, erased);
  const isBlocked = sql`(${claimed.in_doubt} = 0 AND EXISTS (${block.exists}))`;
  const results = await unattended(ctx, [
    ctx.db
      .update(messageRecipients)
      .set({
        dispatchState: "dispatching",
        attempts: sql`${attempts} + 1`,
        claimUntil: ctx.now + LEASE_MS,
      })
      .where(and(mine, eq(dispatchState, "pending"), sql`NOT ${isBlocked}`)),
    ctx.db
      .select({ id })
      .from(messageRecipients)
      .where(and(mine, eq(dispatchState, "dispatching"))),
    ctx.db
      .select({ id })
      .from(messageRecipients)
      .where(and(mine, eq(dispatchState, "pending"), isBlocked)),
  ]);
  if (results[2]?.rows.length === 1) return block;
  return results[1]?.rows.length === 1 ? "now" : "lost";
}

/** Parses the stored content by the schema that it was written with; throws where it does not fit. */
function parsed(row: Claimed): Claimed {
  if (row.content === null) return row;
  const content = CONTENTS[row.channel].parse(row.content);
  return { ...row, content } as Claimed;
}
