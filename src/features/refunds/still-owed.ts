import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { freeCredit } from "#features/credit-notes";
import { gatewayCaptures } from "#tables/captures";
import { creditNotes } from "#tables/credit-notes";
import { gatewayRefunds } from "#tables/refunds";

const again = alias(gatewayRefunds, "again");
const newer = alias(gatewayRefunds, "newer");
const { id, source, status, captureId, creditNoteId, advanceAmount, coveredAmount } = gatewayRefunds;

// What waits where the money of a failed refund returned to. What a gateway's own refund took may be of a sibling.
const waits = sql`CASE WHEN ${creditNoteId} IS NOT NULL THEN (SELECT ${freeCredit} FROM ${creditNotes} WHERE ${creditNotes.id} = ${creditNoteId})
  WHEN ${source} = 'api' THEN (SELECT ${gatewayCaptures.advanceAmount} FROM ${gatewayCaptures} WHERE ${gatewayCaptures.id} = ${captureId})
  WHEN ${advanceAmount} + ${coveredAmount} > 0 THEN (SELECT sum(sibling.advance_amount) FROM capture_siblings AS sibling
    WHERE sibling.of_capture_id = ${captureId} AND sibling.currency = ${gatewayRefunds.currency}) ELSE 0 END`;

/** Whether a refund was retried; the retry reports how it ends. */
const wasRetried = (refund: { id: SQLWrapper }) =>
  sql`EXISTS (SELECT 1 FROM ${gatewayRefunds} AS ${again} WHERE ${again.retryOf} = ${refund.id})`;

// What of that the newer refunds that failed are owed: the same money is owed once.
const owedToNewer = sql`(SELECT coalesce(sum(iif(${newer.creditNoteId} IS NULL, ${newer.advanceAmount} + ${newer.coveredAmount}, ${newer.amount})), 0)
  FROM ${gatewayRefunds} AS ${newer} WHERE ${newer.id} > ${id} AND ${newer.status} = 'failed' AND NOT ${wasRetried(newer)}
    AND (${newer.creditNoteId} = ${creditNoteId}
      OR (${creditNoteId} IS NULL AND ${newer.creditNoteId} IS NULL AND ${newer.captureId} = ${captureId})))`;

/** Whether the money of a refund that failed is owed still: it went back by no other refund, and staff used it for nothing else. */
export function isStillOwed(refundId: SQLWrapper): SQL {
  return sql`EXISTS (SELECT 1 FROM ${gatewayRefunds} WHERE ${id} = ${refundId} AND ${status} = 'failed'
    AND ${source} <> 'chargeback' AND NOT ${wasRetried(gatewayRefunds)} AND ${waits} > ${owedToNewer})`;
}
