import { sql } from "drizzle-orm";
import * as z from "zod";
import { added, amount, described, from, idText, instant, nullable } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { gatewayCaptures } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";

const ofIntent = (column: "kind" | "refId") =>
  sql<
    string | null
  >`(SELECT ${paymentIntents[column]} FROM ${paymentIntents} WHERE ${paymentIntents.id} = ${gatewayCaptures.intentId})`;

/** What a gateway took, as it reported it, and where the money is. */
export const capture = record(
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
        .meta({ description: "`order`, `booking` or `invoice`; null if the API knows of no such payment." }),
    ),
    paid_for_id: from(ofIntent("refId"), z.string().nullable().describe("Null if it is not known.")),
    customer_id: nullable(idText),
    outcome: z.enum(gatewayCaptures.outcome.enumValues).meta({
      description:
        "`paid`: the amount asked for. `duplicate_payment`: a second one. `mismatch`: another amount. `quarantined`: it could have no effect. `unknown_intent`: the API asked for no such payment.",
    }),
    state: z.enum(gatewayCaptures.state.enumValues).meta({
      description:
        "`advance`: money of it waits in Customer Advances. Otherwise it is `invoiced`, also in place of a payment of the same order, booking or invoice that its gateway gave back; `refunded` through its gateway or on its way back; or `settled` by hand.",
    }),
    amount,
    currency: z.string(),
    fee: described(nullable(amount), "What the gateway keeps; null until it says so."),
    method: z.string().nullable().meta({ description: "How the payer paid, in the gateway's word." }),
    invoiced_amount: described(amount, "What of it pays invoices."),
    settled_amount: described(amount, "What of it was settled by hand."),
    refunded_amount: described(amount, "What went back to the payer, as the gateway says."),
    advance_amount: described(amount, "What of it waits in Customer Advances."),
    settlement_id: described(nullable(idText), "The payout that brought it to the bank."),
    received_at: described(instant, "When the report of it came."),
  },
  "Capture",
);

/** A capture as the order, booking, invoice or customer shows it that it is of. */
export const shownCapture = capture.pick(
  "id",
  "amount",
  "advance_amount",
  "currency",
  "fee",
  "method",
  "state",
);
type Shown = { captures?: RowOf<typeof shownCapture>[] };

/** The captures of a record, which its single read selects by `withCaptures`. */
export const shownCaptures = added(
  z.array(shownCapture.schema).optional().meta({
    description:
      "What gateways took for it, newest first, at most 20. Only in reads of one record. `GET /ledger/{company}/captures` lists all.",
  }),
  (row: object) => (row as Shown).captures?.map((one) => shownCapture.render(one)),
);
