import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#core/context.ts";
import { jsonRows } from "#core/sql/json-rows.ts";
import type { Receipt } from "#providers/delivery";
import { DAY_MS } from "#shared/time/durations.ts";
import { messageRecipients, unmatchedReceipts } from "#tables/messaging";

// A status only rises, so receipts may come twice and in any order. A message that was reported as failed and then as
// delivered has been delivered. After a failure whose outcome is unknown, any receipt counts.
const RANKS = {
  queued: 0,
  sent: 0,
  submitted: 1,
  failed: 2,
  rejected: 3,
  delivered: 4,
  read: 5,
};
export type Status = keyof typeof RANKS;
const UNMATCHED_MS = 7 * DAY_MS;
const WORDLESS = "The message was not delivered";

const known = alias(messageRecipients, "known");

function rankOf(status: SQL): SQL {
  const cases = Object.entries(RANKS).map(([word, rank]) => `WHEN '${word}' THEN ${rank}`);
  return sql`CASE ${status} ${sql.raw(cases.join(" "))} END`;
}

/** The status of a rank; of two statuses with one rank, the one that a receipt can have. */
function statusOf(rank: SQL): SQL {
  const cases = Object.entries(RANKS).map(([word, rank]) => `WHEN ${rank} THEN '${word}'`);
  return sql`CASE ${rank} ${sql.raw(cases.slice(1).join(" "))} END`;
}

/**
 * The statements that apply a provider's receipts, and keep those of messages that are not known yet: without the provider's
 * words, for a message may be unknown because its recipient was erased.
 */
export function applyReceipts(ctx: ReadCtx, provider: string, receipts: readonly Receipt[]): SQLWrapper[] {
  const rows = receipts.map(({ provider_message_id, reference, status, at, failure }) => ({
    provider_message_id: provider_message_id || null,
    reference,
    status,
    at: at ?? ctx.now,
    error: failure === null ? null : JSON.stringify(failure),
  }));
  const source = jsonRows(rows, ["provider_message_id", "reference", "status", "at", "error"]);
  return [
    raise(ctx, provider, source),
    sql`INSERT INTO ${unmatchedReceipts} (provider, provider_message_id, status, at, error, expires_at)
      SELECT ${provider}, provider_message_id, status, at, json_set(error, '$.message', ${WORDLESS}), ${ctx.now + UNMATCHED_MS}
      FROM (${source}) AS receipt WHERE provider_message_id IS NOT NULL
        AND NOT EXISTS (${idOf(provider, sql`receipt.provider_message_id`)})
        AND NOT EXISTS (${referredBy(provider)}) ON CONFLICT DO NOTHING`,
  ];
}

/** The statements that apply receipts that came before the message's id was stored here. */
export function applyUnmatched(ctx: ReadCtx, provider: string, providerMessageId: string): SQLWrapper[] {
  const mine = and(
    eq(unmatchedReceipts.provider, provider),
    eq(unmatchedReceipts.providerMessageId, providerMessageId),
  );
  return [
    raise(
      ctx,
      provider,
      sql`SELECT provider_message_id, status, at, error, NULL AS reference FROM ${unmatchedReceipts} WHERE ${mine}`,
    ),
    ctx.db.delete(unmatchedReceipts).where(mine),
  ];
}

/** A provider's id of a message; NULL where another recipient has it already. */
export function unlessTaken(provider: string, providerMessageId: SQL | string | null): SQL<string | null> {
  return sql`iif(EXISTS (${idOf(provider, providerMessageId)}), NULL, ${providerMessageId})`;
}

/** The SELECT of the recipient that a provider's id is of. */
function idOf(provider: string, providerMessageId: SQL | string | null): SQL {
  return sql`SELECT ${known.id} FROM ${messageRecipients} AS ${known}
    WHERE ${known.providerMessageId} = ${providerMessageId} AND ${known.provider} = ${provider}`;
}

/** The SELECT of the recipient that a receipt refers to: a reference is `<message>` or `<message>:<ordinal>`. */
function referredBy(provider: string): SQL {
  return sql`SELECT ${known.id} FROM ${messageRecipients} AS ${known}
    WHERE ${known.messageId} = substr(receipt.reference, 1, 30) AND ${known.provider} = ${provider}
      AND ${known.ordinal} = CAST(coalesce(nullif(substr(receipt.reference, 32), ''), '0') AS INTEGER)`;
}

/** One UPDATE for all receipts: each recipient's best status, its earliest times, its id where that was not known. */
function raise(ctx: ReadCtx, provider: string, source: SQL): SQLWrapper {
  const { id, status, deliveredAt, readAt, failedAt, error, providerMessageId } = messageRecipients;
  const { sent, failed, rejected, delivered, read } = RANKS;
  const isFailure = sql.raw(`IN (${failed}, ${rejected})`);
  const isHigher = sql`news.rank > iif(json_extract(${error}, '$.code') = 'unknown', -1, ${rankOf(sql`${status}`)})`;
  // `sent` with an error is a failure that came later, and leaves the status.
  const told = sql`iif(news.rank ${sql.raw(`IN (${sent}, ${failed}, ${rejected})`)}, news.error, NULL)`;
  const whenFailing = (value: SQL) => sql`iif(news.rank ${isFailure}, ${value}, NULL)`;
  const earliest = (column: SQLiteColumn) => {
    const told = sql.raw(`news.${column.name}`);
    return sql`coalesce(min(${column}, ${told}), ${column}, ${told})`;
  };
  const news = sql`(
      SELECT recipient, max(rank) AS rank, max(provider_message_id) AS provider_message_id, max(error) AS error,
        min(at) FILTER (WHERE rank >= ${sql.raw(String(delivered))}) AS delivered_at,
        min(at) FILTER (WHERE rank = ${sql.raw(String(read))}) AS read_at,
        min(at) FILTER (WHERE rank ${isFailure}) AS failed_at
      FROM (
        SELECT provider_message_id, at, error, ${rankOf(sql`receipt.status`)} AS rank, coalesce(
          (${idOf(provider, sql`receipt.provider_message_id`)}), (${referredBy(provider)})
        ) AS recipient FROM (${source}) AS receipt
      ) WHERE recipient IS NOT NULL GROUP BY recipient
    ) AS news`;
  return ctx.db
    .update(messageRecipients)
    .set({
      status: sql`iif(${isHigher}, ${statusOf(sql`news.rank`)}, ${status})`,
      deliveredAt: earliest(deliveredAt),
      readAt: earliest(readAt),
      failedAt: sql`iif(${isHigher}, ${whenFailing(sql`news.failed_at`)}, ${failedAt})`,
      error: sql`CASE WHEN ${isHigher} THEN ${told}
        WHEN ${status} = 'sent' THEN coalesce(${told}, ${error}) ELSE ${error} END`,
      providerMessageId: sql`coalesce(${providerMessageId}, ${unlessTaken(provider, sql`news.provider_message_id`)})`,
      dispatchState: "dispatched",
    })
    .from(news)
    .where(sql`${id} = news.recipient`);
}
