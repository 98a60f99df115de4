import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { CallCtx, EncryptionCtx, SystemWriteCtx } from "#core/context.ts";
import { encryptedHmacKey, keyedHashOf } from "#core/secrets/company-hmac.ts";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { CONTENTS, type MessageContent } from "#providers/messaging";
import { isNotice } from "#shared/settings.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { profile } from "#tables/company";
import { settingChanges as changes } from "#tables/core";
import { messageRecipients, messages, messagingProviders } from "#tables/messaging";
import { blockOf } from "../contacts/block.ts";
import { keyedHashesBy } from "../contacts/keyed-hashes.ts";
import { matchOf, numberOf } from "../contacts/matching.ts";
import type { Channel } from "../messages/channel.ts";
import { isMarketing } from "../send/store-message.ts";
import { hasCapacity } from "./capacity.ts";
import { isUnsent } from "./unsent.ts";

const LEASE_MS = MINUTE_MS;

const providerShape = {
  ...columnsNamed(messagingProviders, "id", "operation", "paused_at"),
  sealed_config: messagingProviders.encryptedConfig,
  sealed_token: messagingProviders.encryptedToken,
};
/** One of before the change that its message reports has no callback address, and no pause. */
export type LeasedProvider = Pick<JsonRow<typeof providerShape>, "id" | "operation" | "sealed_config"> &
  Partial<JsonRow<typeof providerShape>>;

const former = sql`(SELECT ${changes.route} ->> '$.provider' FROM ${changes}
  WHERE ${changes.messageId} = ${messages.id} ORDER BY ${changes.id} LIMIT 1)`;

const shape = {
  ...columnsNamed(messageRecipients, "id", "message_id", "ordinal", "address", "name", "in_doubt"),
  /** The rule of notifications that it is sent by. */
  rule: messages.rule,
  /** How often its provider was asked before. */
  attempts: messageRecipients.attempts,
  /** Since when it may be sent. */
  since: sql<number>`coalesce(${messages.sendAt}, ${messages.createdAt})`,
  kind: messageRecipients.provider,
  provider: sql<LeasedProvider | null>`json(coalesce(${former},
    iif(${messagingProviders.id} IS NULL, NULL, ${jsonObject(providerShape)})))`,
  company: jsonObject({ name: profile.name, email: profile.email }),
  mark_key: encryptedHmacKey,
};
const contentShape = { channel: messages.channel, content: sql<unknown>`json(${messages.content})` };
const columns = once(() => jsonObject({ ...shape, ...contentShape }));
type Said = MessageContent | { channel: Channel; content: null };

/** Whether a provider is one of before a change. */
export function isFormer(provider: LeasedProvider | null): boolean {
  return provider !== null && provider.sealed_token === undefined;
}

/** All that sending to one recipient takes. `content` is null once it is purged, before the message itself is. */
export type Leased = Said & JsonRow<typeof shape>;

/** A recipient leased by this run; or its account has no capacity; or another run has it or has finished it. */
export type LeaseOutcome = Leased | "no capacity" | "not ours";

/**
 * Leases a recipient for a minute if its account has capacity. No provider is asked yet: the row stays `pending`. The
 * lease carries this run's name, so a retry after a lost answer still owns it. A row found `dispatching` with an
 * expired lease is in doubt: its provider may have been asked.
 */
export async function leaseRecipient(
  ctx: CallCtx & SystemWriteCtx,
  recipient: number,
): Promise<LeaseOutcome> {
  const run = ctx.call.id;
  const { id, providerMessageId, dispatchState, lease, leasedUntil, inDoubt } = messageRecipients;
  const isOurs = and(eq(dispatchState, "pending"), eq(lease, run));
  const carrier = sql`(SELECT ${messages.providerId} FROM ${messages} WHERE ${messages.id} = ${messageRecipients.messageId})`;
  const isFree = and(lte(leasedUntil, ctx.now), hasCapacity(ctx, carrier));
  const results = await systemWrite(ctx, [
    ctx.db
      .update(messageRecipients)
      .set({
        inDoubt: sql`${inDoubt} OR ${dispatchState} = 'dispatching'`,
        dispatchState: "pending",
        lease: run,
        leasedUntil: ctx.now + LEASE_MS,
      })
      .where(and(eq(id, recipient), isNull(providerMessageId), isUnsent, or(isFree, isOurs))),
    sql`SELECT ${columns()} AS snapshot
      FROM ${messageRecipients} JOIN ${messages} ON ${messages.id} = ${messageRecipients.messageId}
      LEFT JOIN ${messagingProviders} ON ${messagingProviders.id} = ${messages.providerId}, ${profile}
      WHERE ${id} = ${recipient} AND ${isOurs}`,
    ctx.db
      .select({ leasedUntil })
      .from(messageRecipients)
      .where(and(eq(id, recipient), isUnsent)),
  ]);
  const snapshot = results[1]?.rows[0]?.snapshot;
  if (snapshot !== undefined) return parsed(JSON.parse(String(snapshot)));
  const heldUntil = results[2]?.rows[0]?.leased_until;
  return heldUntil !== undefined && Number(heldUntil) <= ctx.now ? "no capacity" : "not ours";
}

/** Whether a provider may be asked now: yes, no longer for another run has the recipient, or not ever for they opted out. */
export type Asking = "now" | "lost" | ReturnType<typeof blockOf>;

/**
 * Records in the row that its provider is asked from now on, which counts as an attempt: a run that dies earlier has
 * asked no provider. A person who opted out since the message was accepted gets nothing, unless it may be sent already.
 */
export async function beginAsking(
  ctx: CallCtx & SystemWriteCtx & EncryptionCtx,
  leased: Leased,
): Promise<Asking> {
  const { id, dispatchState, attempts, lease } = messageRecipients;
  const { channel, address } = leased;
  const mine = and(eq(id, leased.id), eq(lease, ctx.call.id));
  const item = { match: matchOf(channel, address), e164: numberOf(ctx.company.country, channel, address) };
  const erased =
    leased.mark_key === null
      ? undefined
      : {
          number: item.e164,
          hashes: await keyedHashesBy(await keyedHashOf(ctx, leased.mark_key), channel, item),
        };
  const block = blockOf(channel, ctx.now, isMarketing(leased), item, erased);
  const mayBlock = leased.in_doubt === 0 && !isNotice(leased.rule);
  const isBlocked = mayBlock ? sql`EXISTS (${block.exists})` : sql`FALSE`;
  const results = await systemWrite(ctx, [
    ctx.db
      .update(messageRecipients)
      .set({
        dispatchState: "dispatching",
        attempts: sql`${attempts} + 1`,
        leasedUntil: ctx.now + LEASE_MS,
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
function parsed(row: Leased): Leased {
  if (row.content === null) return row;
  const content = CONTENTS[row.channel].parse(row.content);
  return { ...row, content } as Leased;
}
