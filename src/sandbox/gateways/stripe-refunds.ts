import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Caller, Merchant } from "./merchants.ts";
import type { Entity } from "./orders.ts";
import { makeRefund, paymentOf } from "./refund-course.ts";
import type { RefundWriter } from "./refund-writer.ts";
import { isChargeback, isOut, type Refund } from "./refunds.ts";
import { mixedId, type StandInContext } from "./stand-in-context.ts";
import { event, invalid, keyReused, parseForm, refuse, refused } from "./stripe-answers.ts";

// What it refuses: https://docs.stripe.com/api/refunds/create and https://docs.stripe.com/error-codes.

const LISTED = 10;

const NewRefund = z.strictObject({
  payment_intent: z.string(),
  amount: z
    .string()
    .regex(/^[1-9]\d*$/, "Invalid positive integer")
    .transform(Number)
    .optional(),
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
  metadata: z.record(z.string(), z.string().max(500)).default({}),
});

type Answer = { status: 200 | 400; answer: Entity };

/** Stripe's refunds. */
export function stripeRefunds(desk: StandInContext): Hono<Caller> {
  const { refunds, keys } = desk;
  const api = new Hono<Caller>();

  api.post("/v1/refunds", async (c) => {
    const { merchant } = c.var;
    const request = await c.req.text();
    const key = c.req.header("Idempotency-Key");
    const earlier = keys.find(merchant, key);
    if (earlier !== undefined && earlier.request !== request) return keyReused(c, key);
    if (earlier !== undefined) {
      c.header("Idempotent-Replayed", "true");
      return c.json(earlier.answer, earlier.status);
    }
    const input = NewRefund.safeParse(parseForm(request));
    if (!input.success) return invalid(c, input.error);
    const done = refund(desk, merchant, key ?? null, input.data);
    if (done === undefined) return unknown(c, "payment_intent", input.data.payment_intent);
    // A refusal is replayed as well, once the work has begun.
    keys.keep(merchant, key, { request, ...done });
    return c.json(done.answer, done.status);
  });

  api.get("/v1/refunds", (c) => {
    const payment = c.req.query("payment_intent") ?? "";
    if (paymentOf(desk, c.var.merchant, payment) === undefined) return unknown(c, "payment_intent", payment);
    const all = refunds.ofPayment(payment).filter((one) => !isChargeback(one));
    const data = all.slice(0, Number(c.req.query("limit") ?? LISTED)).map(refundObject);
    return c.json({ object: "list", data, has_more: data.length < all.length, url: "/v1/refunds" });
  });

  api.get("/v1/refunds/:id", (c) => {
    const refund = refunds.findOwn(c.var.merchant, c.req.param("id"));
    if (refund === undefined || isChargeback(refund)) return unknown(c, "refund", c.req.param("id"));
    return c.json(refundObject(refund));
  });

  api.get("/v1/disputes/:id", (c) => {
    const refund = refunds.findOwn(c.var.merchant, c.req.param("id"));
    if (refund === undefined || !isChargeback(refund)) return unknown(c, "dispute", c.req.param("id"));
    return c.json(disputeObject(refund));
  });
  return api;
}

function refund(
  desk: StandInContext,
  merchant: Merchant,
  key: string | null,
  { payment_intent, amount, ...sent }: z.infer<typeof NewRefund>,
): Answer | undefined {
  const found = paymentOf(desk, merchant, payment_intent);
  if (found === undefined) return undefined;
  const { order, payment } = found;
  const captured = stripeWriter.captured(payment);
  const left = captured - desk.refunds.sumOf(payment.id);
  const asked = amount ?? left;
  const charge = chargeOf(payment_intent);
  const taken = desk.refunds.ofPayment(payment.id).some((one) => isChargeback(one) && isOut(one));
  if (captured === 0)
    return refusal(`This PaymentIntent (${payment_intent}) does not have a successful charge to refund.`);
  if (taken)
    return refusal(`Charge ${charge} has been charged back; cannot issue a refund.`, "charge_disputed");
  if (left <= 0) return refusal(`Charge ${charge} has already been refunded.`, "charge_already_refunded");
  if (asked > left)
    return refusal(
      `Refund amount (${asked}) is greater than unrefunded amount on charge (${left})`,
      undefined,
      "amount",
    );
  const made = makeRefund(desk, order, payment, { amount: asked, source: "api", key, sent });
  return { status: 200, answer: refundObject(made) };
}

export const stripeWriter: RefundWriter = {
  newId: (source) => mixedId(source === "chargeback" ? "du_" : "re_", 24),
  captured: ({ status, amount }) => (status === "paid" ? Number(amount) : 0),

  /** A session and its payment intent look the same: the charge shows what was refunded. */
  show: () => undefined,

  /** https://docs.stripe.com/api/events/types */
  events(refund, payment, moment) {
    if (isChargeback(refund)) return disputeEvents(refund, moment);
    const object = refundObject(refund);
    if (moment === "made") {
      const charge = {
        id: object.charge,
        object: "charge",
        amount: payment.amount,
        currency: object.currency,
        payment_intent: payment.id,
      };
      return [event("refund.created", object), event("charge.refunded", { ...charge, refunded: true })];
    }
    const failed = refund.state === "failed" ? [event("refund.failed", object)] : [];
    return [event("refund.updated", object), event("charge.refund.updated", object), ...failed];
  },
};

function disputeObject(refund: Refund): Entity {
  return {
    id: refund.id,
    object: "dispute",
    amount: refund.amount,
    charge: chargeOf(refund.payment_id),
    currency: refund.currency.toLowerCase(),
    payment_intent: refund.payment_id,
    metadata: {},
    reason: "general",
    status: refund.state === "reversed" ? "won" : "needs_response",
  };
}

function disputeEvents(refund: Refund, moment: "made" | "ended") {
  const dispute = disputeObject(refund);
  if (moment === "made")
    return [event("charge.dispute.created", dispute), event("charge.dispute.funds_withdrawn", dispute)];
  return [event("charge.dispute.closed", dispute), event("charge.dispute.funds_reinstated", dispute)];
}

function refundObject({ id, amount, currency, payment_id, sent, state, created_at }: Refund): Entity {
  return {
    id,
    object: "refund",
    amount,
    balance_transaction: null,
    charge: chargeOf(payment_id),
    created: Math.floor(created_at / 1_000),
    currency: currency.toLowerCase(),
    ...(state === "failed" && { failure_reason: "expired_or_canceled_card" }),
    metadata: sent.metadata ?? {},
    payment_intent: payment_id,
    reason: sent.reason ?? null,
    receipt_number: null,
    status: state,
  };
}

function chargeOf(paymentIntent: string): string {
  return paymentIntent.replace("pi_", "ch_");
}

function refusal(message: string, code?: string, param?: string): Answer {
  return { status: 400, answer: refused(message, param, code) };
}

function unknown(c: Context, param: string, id: string): Response {
  return refuse(c, 404, `No such ${param}: '${id}'`, param, "resource_missing");
}
