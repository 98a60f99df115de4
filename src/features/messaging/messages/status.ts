import { type SQL, sql } from "drizzle-orm";
import { jsonRows } from "#platform/sql/json-rows.ts";
import type { Receipt } from "#providers/delivery";
import { DAY_MS } from "#shared/time/durations.ts";
import { messageRecipients, unmatchedEvents } from "./tables.ts";

// A status only rises, so receipts may come twice and in any order. A message that was reported as failed and then as
// delivered has been delivered. After a failure whose outcome is unknown, any receipt counts.
const RANKS = { queued: 0, sent: 0, submitted: 1, failed: 2, rejected: 3, delivered: 4, read: 5 };
const UNMATCHED_MS = 7 * DAY_MS;

type Event = Pick<Receipt, "provider_message_id" | "reference" | "status"> & {
  at: number;
  error: string | null;
};

function rankOf(status: SQL): SQL {
  const cases = Object.entries(RANKS).map(([word, rank]) => `WHEN '${word}' THEN ${rank}`);
  return sql`CASE ${status} ${sql.raw(cases.join(" "))} END`;
}

/** The status of a rank; of two statuses with one rank, the one that a receipt can tell. */
function statusOf(rank: SQL): SQL {
  const cases = Object.entries(RANKS).map(([word, rank]) => `WHEN ${rank} THEN '${word}'`);
  return sql`CASE ${rank} ${sql.raw(cases.slice(1).join(" "))} END`;
}

/** Receipts as rows to apply; a receipt without a time of its own is of `now`. */
export function eventsOf(receipts: readonly Receipt[], now: number): Event[] {
  return receipts.map(({ provider_message_id, reference, status, at, failure }) => ({
    provider_message_id: provider_message_id || null,
    reference,
    status,
    at: at ?? now,
    error: failure === null ? null : JSON.stringify(failure),
  }));
}

/** The statements that apply a provider's events, and keep those of messages that are not known yet. */
export function applyEvents(provider: string, events: readonly Event[], now: number): SQL[] {
  const source = jsonRows(events, ["provider_message_id", "reference", "status", "at", "error"]);
  const known = sql`EXISTS (SELECT 1 FROM ${messageRecipients} known
    WHERE known.provider_message_id = event.provider_message_id AND known.provider = ${provider})
    OR EXISTS (SELECT 1 FROM ${messageRecipients} known WHERE ${referred(provider)})`;
  return [
    raise(provider, source),
    sql`INSERT INTO ${unmatchedEvents} (provider, provider_message_id, status, at, error, expires_at)
      SELECT ${provider}, provider_message_id, status, at, error, ${now + UNMATCHED_MS} FROM (${source}) AS event
      WHERE provider_message_id IS NOT NULL AND NOT (${known}) ON CONFLICT DO NOTHING`,
  ];
}

/** The statements that apply what a provider told of a message before its id was stored here. */
export function applyUnmatched(provider: string, providerMessageId: string): SQL[] {
  const mine = sql`provider = ${provider} AND provider_message_id = ${providerMessageId}`;
  return [
    raise(
      provider,
      sql`SELECT provider_message_id, NULL AS reference, status, at, error FROM ${unmatchedEvents} WHERE ${mine}`,
    ),
    sql`DELETE FROM ${unmatchedEvents} WHERE ${mine}`,
  ];
}

/** The recipient that an event refers to, of this provider only: a reference is `<message>` or `<message>:<ordinal>`. */
function referred(provider: string): SQL {
  return sql`known.message_id = substr(event.reference, 1, 30) AND known.provider = ${provider}
    AND known.ordinal = CAST(coalesce(nullif(substr(event.reference, 32), ''), '0') AS INTEGER)`;
}

/** One UPDATE for all events: each recipient's best status, its earliest times, its id where that was not known. */
function raise(provider: string, source: SQL): SQL {
  const current = sql`iif(json_extract(r.error, '$.code') = 'unknown', -1, ${rankOf(sql`r.status`)})`;
  const word = statusOf(sql`news.rank`);
  const { failed, rejected, delivered, read } = RANKS;
  const isFailure = sql.raw(`IN (${failed}, ${rejected})`);
  const failing = sql`news.rank ${isFailure}`;
  const earliest = (column: string) =>
    sql.raw(`coalesce(min(r.${column}, news.${column}), r.${column}, news.${column})`);
  const taken = sql`EXISTS (SELECT 1 FROM ${messageRecipients} other
    WHERE other.provider_message_id = news.provider_message_id AND other.provider = ${provider})`;
  return sql`UPDATE ${messageRecipients} AS r SET
      status = iif(news.rank > ${current}, ${word}, r.status),
      delivered_at = ${earliest("delivered_at")},
      read_at = ${earliest("read_at")},
      failed_at = iif(news.rank > ${current}, iif(${failing}, news.failed_at, NULL), r.failed_at),
      error = iif(news.rank > ${current}, iif(${failing}, news.error, NULL), r.error),
      provider_message_id = coalesce(r.provider_message_id, iif(${taken}, NULL, news.provider_message_id)),
      dispatch_state = 'dispatched'
    FROM (
      SELECT recipient, max(rank) AS rank, max(provider_message_id) AS provider_message_id, max(error) AS error,
        min(at) FILTER (WHERE rank >= ${sql.raw(String(delivered))}) AS delivered_at,
        min(at) FILTER (WHERE rank = ${sql.raw(String(read))}) AS read_at,
        min(at) FILTER (WHERE rank ${isFailure}) AS failed_at
      FROM (
        SELECT provider_message_id, at, error, ${rankOf(sql`event.status`)} AS rank, coalesce(
          (SELECT id FROM ${messageRecipients} known WHERE known.provider_message_id = event.provider_message_id
            AND known.provider = ${provider}),
          (SELECT id FROM ${messageRecipients} known WHERE ${referred(provider)})
        ) AS recipient FROM (${source}) AS event
      ) WHERE recipient IS NOT NULL GROUP BY recipient
    ) AS news WHERE r.id = news.recipient`;
}
