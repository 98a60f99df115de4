import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type CaptureRow, settledAtGateway } from "#features/captures";
import { fill, sum } from "#shared/money/shares.ts";
import { gatewayCaptures } from "#tables/captures";
import { gatewayRefunds } from "#tables/refunds";

/** What waits of a capture, and what staff have marked of it as given back through its gateway. */
type Sibling = { id: number; waits: number; byStaff: number };

const own = alias(gatewayCaptures, "own");

/** What waits of a capture and of its siblings in its currency, oldest first, as JSON. */
export const waitingOf = (captureId: SQL) => sql<string>`(SELECT json_group_array(json(sibling)) FROM (
  SELECT json_object('id', gateway_captures.id, 'waits', ${gatewayCaptures.advanceAmount}, 'byStaff', ${settledAtGateway}) AS sibling
  FROM ${gatewayCaptures} WHERE gateway_captures.id IN (SELECT other.id FROM capture_siblings AS other WHERE of_capture_id = ${captureId})
    AND ${gatewayCaptures.currency} = (SELECT ${own.currency} FROM ${gatewayCaptures} AS ${own} WHERE ${own.id} = ${captureId})
  ORDER BY gateway_captures.id))`;

/** What its gateway says went back of a capture, or is on its way. */
export const backOf = (
  captureId: SQL,
) => sql<number>`(SELECT coalesce(sum(${gatewayRefunds.amount}), 0) FROM ${gatewayRefunds}
  WHERE ${gatewayRefunds.captureId} = ${captureId} AND ${gatewayRefunds.gatewayRefundId} IS NOT NULL AND ${gatewayRefunds.status} <> 'failed')`;

/**
 * What a refund that the gateway made takes of what waits, and of what staff have marked as given back, which goes back
 * only once: all of its own capture's, and of its siblings' as much as its capture was neither settled nor withdrawn.
 */
export function takenOf(amount: number, capture: CaptureRow, waiting: string) {
  const siblings: Sibling[] = JSON.parse(waiting);
  const free = capture.amount - capture.settledAmount - capture.withdrawnAmount;
  const taken = Math.min(amount, sum(siblings.map(({ waits }) => waits)), free);
  const marked = (isOwn: boolean) =>
    siblings.map(({ id, byStaff }) => ((id === capture.id) === isOwn ? byStaff : 0));
  const ofOwn = fill(amount - taken, marked(true));
  const ofOthers = fill(Math.min(amount - taken - sum(ofOwn), free - taken), marked(false));
  const reopened = siblings.map(({ id }, place) => ({
    id,
    amount: (ofOwn[place] ?? 0) + (ofOthers[place] ?? 0),
  }));
  return { amount: taken + sum(ofOwn) + sum(ofOthers), reopened };
}
