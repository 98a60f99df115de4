import { and, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { amount, described, from, idText, instant, nullable } from "#core/sql/fields.ts";
import { readList } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { idReference } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { paymentIntents } from "#tables/gateway-payments";
import { payments } from "#tables/payments";
import { CAPTURE_OUTCOMES, CAPTURE_STATES, gatewayCaptures } from "./tables.ts";

const CaptureQuery = z.object({
  state: z.enum(CAPTURE_STATES).optional(),
  customer_id: idReference.optional(),
  order_id: idReference.optional().meta({ description: "Captures of this order." }),
  booking_id: z.string().max(40).optional().meta({ description: "Captures of this booking." }),
  invoice_id: idReference.optional().meta({ description: "Captures whose payment is on this invoice." }),
});
type CaptureQuery = z.infer<typeof CaptureQuery>;

const ofIntent = (column: "kind" | "refId") =>
  sql<
    string | null
  >`(SELECT ${paymentIntents[column]} FROM ${paymentIntents} WHERE ${paymentIntents.id} = ${gatewayCaptures.intentId})`;

/** What a gateway took, as it reported it, and where the money is. */
const capture = record(
  gatewayCaptures,
  {
    id: idText,
    gateway: z.enum(GATEWAY_KINDS),
    gateway_payment_id: z.string(),
    paid_for: from(
      ofIntent("kind"),
      z
        .string()
        .nullable()
        .meta({ description: "`order` or `booking`; null if the API knows of no such payment." }),
    ),
    paid_for_id: from(ofIntent("refId"), z.string().nullable()),
    customer_id: nullable(idText),
    outcome: z.enum(CAPTURE_OUTCOMES).meta({
      description:
        "`paid`: the amount asked for. `duplicate_payment`: a second one. `mismatch`: another amount. `quarantined`: it could have no effect. `unknown_intent`: the API asked for no such payment.",
    }),
    state: z.enum(CAPTURE_STATES).meta({
      description:
        "`advance`: money of it waits in Customer Advances. Otherwise it is `invoiced`, or `settled` by hand.",
    }),
    amount,
    currency: z.string(),
    fee: described(nullable(amount), "What the gateway keeps; null until it says so."),
    method: z.string().nullable().meta({ description: "How the payer paid, in the gateway's word." }),
    invoiced_amount: amount,
    settled_amount: amount,
    advance_amount: amount,
    settlement_id: described(nullable(idText), "The payout that brought it to the bank."),
    received_at: instant,
  },
  "Capture",
);
type CaptureRow = RowOf<typeof capture>;

const captureExample = {
  id: "3",
  gateway: "razorpay" as const,
  gateway_payment_id: "pay_NxO4a2Jm1Y8m0r",
  paid_for: "order",
  paid_for_id: "12",
  customer_id: "42",
  outcome: "duplicate_payment" as const,
  state: "advance" as const,
  amount: 354,
  currency: "INR",
  fee: 8.36,
  method: "upi",
  invoiced_amount: 0,
  settled_amount: 0,
  advance_amount: 354,
  settlement_id: null,
  received_at: "2026-11-21T10:00:00.000Z",
};

export const captureRoutes = new Router("Ledger").list(
  {
    id: "listCaptures",
    method: "get",
    path: "/ledger/:company/captures",
    summary: "List what gateways took",
    description:
      "Every payment that a gateway reports, whatever it is for, newest first. What is neither invoiced nor settled waits in Customer Advances.",
    scope: "ledger:read",
    query: CaptureQuery,
    result: capture.schema,
    example: { query: { state: "advance" }, result: captureExample },
    render: capture.render,
    sort: (row) => [row.id],
  },
  listCaptures,
);

/** What gateways took, newest first. */
async function listCaptures(
  ctx: CallCtx,
  _params: unknown,
  { page, ...query }: CaptureQuery & { page: Page },
): Promise<Listed<CaptureRow>> {
  const below = sql`${gatewayCaptures.id} < ${idBelow(page)}`;
  const tail = sql`${and(below, ...filtersOf(query))} ORDER BY ${gatewayCaptures.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, capture.select(tail));
}

function filtersOf({ state, customer_id: customer, ...of }: CaptureQuery): (SQL | undefined)[] {
  const { invoicedAmount, settledAmount, amount: total } = gatewayCaptures;
  // Spelled as the partial index of advances is.
  const waits = sql`${invoicedAmount} + ${settledAmount} < ${total}`;
  const { order_id: order, booking_id: booking, invoice_id: invoice } = of;
  return [
    state === "advance" ? waits : state && eq(gatewayCaptures.state, state),
    customer === undefined ? undefined : eq(gatewayCaptures.customerId, customer),
    order === undefined ? undefined : ofKind("order", String(order)),
    booking === undefined ? undefined : ofKind("booking", booking),
    invoice === undefined
      ? undefined
      : sql`(${gatewayCaptures.gateway}, ${gatewayCaptures.gatewayPaymentId}) IN (
          SELECT ${payments.gateway}, ${payments.gatewayPaymentId} FROM ${payments}
          WHERE ${payments.invoiceId} = ${invoice} AND ${payments.deletedAt} IS NULL)`,
  ];
}

function ofKind(kind: "order" | "booking", refId: string): SQL {
  return sql`${gatewayCaptures.intentId} IN (SELECT ${paymentIntents.id} FROM ${paymentIntents}
    WHERE ${paymentIntents.kind} = ${kind} AND ${paymentIntents.refId} = ${refId})`;
}
