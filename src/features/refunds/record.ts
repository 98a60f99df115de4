import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import { amount, described, flag, from, idText, instant, nullable } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { entryIdOf } from "#features/ledger";
import { GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { REFUND_REASONS, REFUND_SPEEDS, REFUND_STATUSES } from "#shared/payments/refunds.ts";
import { gatewayCaptures, settledRefunds } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";
import { gatewayRefunds } from "#tables/refunds";

const sibling = alias(gatewayRefunds, "sibling");

const gatewayPaymentId = sql<string>`(SELECT ${gatewayCaptures.gatewayPaymentId} FROM ${gatewayCaptures}
  WHERE ${gatewayCaptures.id} = ${gatewayRefunds.captureId})`;
const paidFor = (kind: "order" | "booking") =>
  sql<string | null>`(SELECT ${paymentIntents.refId} FROM ${gatewayCaptures} JOIN ${paymentIntents}
    ON ${paymentIntents.id} = ${gatewayCaptures.intentId}
    WHERE ${gatewayCaptures.id} = ${gatewayRefunds.captureId} AND ${paymentIntents.kind} = ${sql.raw(`'${kind}'`)})`;
const settlementId = sql<number | null>`(SELECT ${settledRefunds.settlementId} FROM ${settledRefunds}
  WHERE ${settledRefunds.refundId} = ${gatewayRefunds.id})`;
const siblingIds = sql<string[]>`(SELECT json_group_array(CAST(${sibling.id} AS TEXT))
  FROM ${gatewayRefunds} AS ${sibling} WHERE ${sibling.operation} = ${gatewayRefunds.operation} AND ${sibling.id} <> ${gatewayRefunds.id})`;
// Spelled as the partial index is.
export const needsReview = sql<number>`(${gatewayRefunds.source} <> 'api' AND ${gatewayRefunds.status} IN ('pending', 'succeeded')
  AND ${gatewayRefunds.creditNoteId} IS NULL AND ${gatewayRefunds.amount} > ${gatewayRefunds.advanceAmount} + ${gatewayRefunds.coveredAmount}
  AND ${gatewayRefunds.reviewedAt} IS NULL)`;

/** Money that goes back through its gateway. */
export const refund = record(
  gatewayRefunds,
  {
    id: idText,
    status: z.enum(REFUND_STATUSES).meta({
      description:
        "`created`: its gateway has not answered yet. `pending`: the gateway accepted it. A bank may send a `succeeded` one back: it is `failed` then.",
    }),
    source: z.enum(gatewayRefunds.source.enumValues).meta({
      description:
        "`api`: asked for here. `gateway`: made at the gateway. `chargeback`: taken back by the payer's bank.",
    }),
    order_id: from(
      paidFor("order"),
      z.string().nullable().meta({ description: "The order that the money came for." }),
    ),
    booking_id: from(
      paidFor("booking"),
      z.string().nullable().meta({ description: "The booking that the money came for." }),
    ),
    capture_id: idText,
    credit_note_id: described(
      nullable(idText),
      "The note that bears it. Where one of its gateway's own needs several notes of the invoice, the last of them.",
    ),
    customer_id: nullable(idText),
    gateway: z.enum(GATEWAY_KINDS),
    gateway_payment_id: from(gatewayPaymentId, z.string()),
    gateway_refund_id: z.string().nullable().describe("Null until the gateway gives one."),
    amount,
    currency: z.string(),
    reason: z.enum(REFUND_REASONS).nullable().meta({ description: "Null where the gateway reported it." }),
    reason_text: z.string().nullable(),
    speed: z.enum(REFUND_SPEEDS).meta({
      description:
        "As it was asked for. Razorpay makes an `instant` one a normal one where the bank has no other.",
    }),
    failure_code: z.string().nullable().meta({
      description:
        "The gateway's own word, or `credentials`: it refuses the account. `not_found_at_gateway`: it has no such refund. `no_answer`: it gave none for 30 days. `refund_exceeds_payment`: the gateway gave too much back already. `chargeback_reversed`: the money came back.",
    }),
    needs_review: from(
      needsReview,
      described(
        flag,
        "The gateway gave back money of a document that stands, or more than it took: issue a credit note for the invoice, or mark a booking that has a receipt as refunded.",
      ),
    ),
    retry_of: described(nullable(idText), "The failed refund that it takes the place of."),
    attempts: z.int().meta({ description: "How often its gateway was asked." }),
    journal_entry_id: from(
      entryIdOf("gateway_refund", gatewayRefunds.id),
      described(nullable(idText), "The entry that posts it; null while there is none."),
    ),
    sibling_ids: from(
      siblingIds,
      z.array(z.string()).meta({ description: "The other refunds of the same call." }),
    ),
    settlement_id: from(
      settlementId,
      described(nullable(idText), "The payout of the gateway that it was taken off."),
    ),
    created_at: instant,
    settled_at: described(nullable(instant), "When it succeeded or failed; null until then."),
    reviewed_at: described(nullable(instant), "When staff ended its review."),
  },
  "Refund",
);
export type RefundRow = RowOf<typeof refund>;

/** The data of events of refunds. */
export const refundResource = resource({
  name: "refund",
  scope: "payments:read",
  record: refund,
  select: (_moment, id) => refund.select(sql`${gatewayRefunds.id} = ${id}`),
});

/** The SELECT of the refund with a key. */
export function selectByKey(key: string): SQL<RefundRow> {
  return refund.select(sql`${gatewayRefunds.key} = ${key}`);
}
