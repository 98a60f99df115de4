import { Hono } from "hono";
import * as z from "zod";
import { parsed } from "#shared/json.ts";
import type { Caller } from "./merchants.ts";
import type { Entity, Order } from "./orders.ts";
import { invalid, refuse, unknownId, wantsWhole } from "./paypal-answers.ts";
import { event, links } from "./paypal-events.ts";
import { makeRefund, paymentOf } from "./refund-course.ts";
import type { RefundWriter } from "./refund-writer.ts";
import { isChargeback, isOut, type Refund, sumOf } from "./refunds.ts";
import { capitalId, type StandInContext } from "./stand-in-context.ts";

// What it refuses: https://github.com/paypal/paypal-rest-api-specifications, openapi/payments_payment_v2.json.

const REFUNDABLE_MS = 180 * 86_400_000;
const CAPTURED = ["COMPLETED", "PARTIALLY_REFUNDED", "REFUNDED"];
const REFUSALS: Record<string, string> = {
  REFUND_NOT_ALLOWED: "Capture cannot be refunded.",
  REFUND_TIME_LIMIT_EXCEEDED: "You are over the time limit to perform a refund on this capture",
  REFUND_CAPTURE_CURRENCY_MISMATCH: "Refund must be in the same currency as the capture",
  REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK:
    "Refunds are not allowed on this capture due to a chargeback on the card or bank.",
  CAPTURE_FULLY_REFUNDED: "The capture has already been fully refunded",
  CANNOT_BE_ZERO_OR_NEGATIVE: "Must be greater than zero.",
  REFUND_AMOUNT_EXCEEDED:
    "The refund amount must be less than or equal to the capture amount that has not yet been refunded.",
  REFUND_FAILED_INSUFFICIENT_FUNDS: "Capture could not be refunded due to insufficient funds.",
};

const NewRefund = z.looseObject({
  amount: z
    .looseObject({ value: z.string().regex(/^\d{1,10}\.\d{2}$/), currency_code: z.string().length(3) })
    .optional(),
  custom_id: z
    .string()
    .max(127)
    .regex(/^[\w.,-]*$/)
    .optional(),
  note_to_payer: z.string().max(255).optional(),
});

/** PayPal's captures and their refunds. */
export function paypalRefunds(desk: StandInContext): Hono<Caller> {
  const { refunds, keys, faults } = desk;
  const api = new Hono<Caller>();

  api.post("/v2/payments/captures/:id/refund", async (c) => {
    const { merchant } = c.var;
    const request = await c.req.text();
    const key = c.req.header("PayPal-Request-Id");
    const isWhole = wantsWhole(c);
    // A key that came before answers how that request stands, whatever the body (https://developer.paypal.com/reference/guidelines/idempotency).
    const earlier = refunds.findOwn(merchant, String(keys.find(merchant, key)?.answer.id));
    if (earlier !== undefined) return c.json(answerOf(earlier, isWhole), 200);
    const found = paymentOf(desk, merchant, c.req.param("id"));
    if (found === undefined) return unknownId(c);
    const input = NewRefund.safeParse(parsed(request === "" ? "{}" : request));
    if (!input.success) return invalid(c, input.error);
    const { order, payment } = found;
    const { amount: asked, ...sent } = input.data;
    const left = paypalWriter.captured(payment) - refunds.sumOf(payment.id);
    const amount = asked === undefined ? left : cents(asked.value);
    const refusal =
      refusalOf(payment, order, refunds.ofPayment(payment.id), { asked, amount, left }) ??
      (faults.strikes(merchant.account, "refund_refused") ? "REFUND_FAILED_INSUFFICIENT_FUNDS" : undefined);
    if (refusal !== undefined) return refuse(c, refusal, REFUSALS[refusal] ?? refusal);
    const made = makeRefund(desk, order, payment, { amount, source: "api", key: key ?? null, sent });
    keys.keep(merchant, key, { request, status: 201, answer: { id: made.id } });
    return c.json(answerOf(made, isWhole), 201);
  });

  api.get("/v2/payments/captures/:id", (c) => {
    const found = paymentOf(desk, c.var.merchant, c.req.param("id"));
    if (found === undefined) return unknownId(c);
    return c.json({ ...found.payment, supplementary_data: { related_ids: { order_id: found.order.id } } });
  });

  api.get("/v2/payments/refunds/:id", (c) => {
    const refund = refunds.findOwn(c.var.merchant, c.req.param("id"));
    return refund === undefined ? unknownId(c) : c.json(entityOf(refund));
  });
  return api;
}

type Wanted = { asked: { currency_code: string } | undefined; amount: number; left: number };

function refusalOf(
  payment: Entity,
  order: Order,
  earlier: Refund[],
  { asked, amount, left }: Wanted,
): keyof typeof REFUSALS | undefined {
  if (paypalWriter.captured(payment) === 0) return "REFUND_NOT_ALLOWED";
  if (Date.now() - Date.parse(String(payment.create_time)) > REFUNDABLE_MS)
    return "REFUND_TIME_LIMIT_EXCEEDED";
  if (asked !== undefined && asked.currency_code !== order.currency)
    return "REFUND_CAPTURE_CURRENCY_MISMATCH";
  if (earlier.some((one) => isChargeback(one) && isOut(one))) return "REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK";
  if (left <= 0) return "CAPTURE_FULLY_REFUNDED";
  if (amount <= 0) return "CANNOT_BE_ZERO_OR_NEGATIVE";
  return amount > left ? "REFUND_AMOUNT_EXCEEDED" : undefined;
}

export const paypalWriter: RefundWriter = {
  newId: () => capitalId(17),
  captured: ({ status, amount }) => (CAPTURED.includes(String(status)) ? cents(Object(amount).value) : 0),

  show(order, payment, refunds) {
    const shown = refunds.filter((one) => !isChargeback(one));
    const refunded = sumOf(shown.filter(isOut));
    const isWhole = refunded >= cents(Object(payment.amount).value);
    payment.status = refunded === 0 ? "COMPLETED" : isWhole ? "REFUNDED" : "PARTIALLY_REFUNDED";
    const [unit] = Object(order.entity.purchase_units);
    const others = (unit.payments.refunds ?? []).filter(
      (refund: Entity) => !shown.some(({ id }) => id === refund.id),
    );
    unit.payments = { captures: order.payments, refunds: [...shown.map(entityOf), ...others] };
  },

  /** There is no event of a refund that is pending or fails (https://developer.paypal.com/api/rest/webhooks/event-names). */
  events(refund) {
    const word = isChargeback(refund) ? "reversed" : "refunded";
    if (word === "refunded" && refund.state !== "succeeded") return [];
    const type = `PAYMENT.CAPTURE.${word.toUpperCase()}`;
    return [event(type, "refund", `A payment capture was ${word}`, entityOf(refund))];
  },
};

const STATUS = { succeeded: "COMPLETED", pending: "PENDING", failed: "FAILED", reversed: "CANCELLED" };

function entityOf({ id, amount, currency, payment_id, sent, state, created_at }: Refund): Entity {
  const time = new Date(created_at).toISOString();
  return {
    id,
    status: STATUS[state],
    ...(state === "pending" && { status_details: { reason: "ECHECK" } }),
    amount: { value: (amount / 100).toFixed(2), currency_code: currency },
    ...sent,
    create_time: time,
    update_time: time,
    links: links(
      ["self", `/v2/payments/refunds/${id}`, "GET"],
      ["up", `/v2/payments/captures/${payment_id}`, "GET"],
    ),
  };
}

/** A refund as it is answered: without `Prefer: return=representation` as little as can be. */
function answerOf(refund: Refund, isWhole: boolean): Entity {
  const entity = entityOf(refund);
  return isWhole ? entity : { id: entity.id, status: entity.status, links: entity.links };
}

function cents(value: unknown): number {
  return Number(String(value).replace(".", ""));
}
