import { Hono } from "hono";
import * as z from "zod";
import { parsed } from "#shared/json.ts";
import type { Caller } from "./merchants.ts";
import type { Entity } from "./orders.ts";
import { event, failure, invalid, refuse, unknownId } from "./razorpay-answers.ts";
import { makeRefund, paymentOf } from "./refund-course.ts";
import type { RefundWriter } from "./refund-writer.ts";
import { isChargeback, isOut, type Refund, sumOf } from "./refunds.ts";
import { mixedId, type StandInContext } from "./stand-in-context.ts";

// What it refuses, and in which words: https://razorpay.com/docs/api/refunds/create-normal and
// https://razorpay.com/docs/api/refunds/normal-refunds-idempotent.

const KEY = /^[\w-]{10,}$/;
const LEAST = 100;
const LISTED = 10;

const NewRefund = z.strictObject({
  amount: z.int().optional(),
  speed: z.enum(["normal", "optimum"]).default("normal"),
  receipt: z.string().max(40).nullish(),
  notes: z.record(z.string(), z.string().max(256)).optional(),
});

/** Razorpay's refunds. */
export function razorpayRefunds(desk: StandInContext): Hono<Caller> {
  const { refunds, keys, faults } = desk;
  const api = new Hono<Caller>();

  api.post("/v1/payments/:id/refund", async (c) => {
    const { merchant } = c.var;
    const body = await c.req.text();
    const key = c.req.header("X-Refund-Idempotency");
    if (key !== undefined && !KEY.test(key)) return refuse(c, "The idempotency key is not valid");
    const request = `${c.req.path} ${body}`;
    const earlier = keys.find(merchant, key);
    if (earlier !== undefined && earlier.request !== request)
      return refuse(c, "Different request with the same idempotency key has already been processed.");
    if (earlier !== undefined) return c.json(earlier.answer);
    const found = paymentOf(desk, merchant, c.req.param("id"));
    if (found === undefined) return unknownId(c);
    const input = NewRefund.safeParse(parsed(body === "" ? "{}" : body));
    if (!input.success) return invalid(c, input.error);
    const { order, payment } = found;
    const captured = razorpayWriter.captured(payment);
    const left = captured - refunds.sumOf(payment.id);
    const { amount = left, ...sent } = input.data;
    if (captured === 0) return refuse(c, "The payment status should be captured for action to be taken");
    if (left <= 0) return refuse(c, "The payment has been fully refunded already");
    if (amount < LEAST)
      return c.json(failure("BAD_REQUEST_ERROR", "The amount must be at least INR 1.00", "amount"), 400);
    if (amount > captured) return refuse(c, "The refund amount provided is greater than amount captured");
    if (amount > left) return refuse(c, "The total refund amount is greater than the refund payment amount");
    const { receipt } = sent;
    if (receipt && refunds.of(merchant.account).some((refund) => refund.sent.receipt === receipt))
      return refuse(c, "Duplicate receipt found for this refund request");
    if (faults.strikes(merchant.account, "refund_refused"))
      return refuse(c, "Your account does not have enough balance to carry out the refund operation");
    const asked = { amount, source: "api", key: key ?? null, sent } as const;
    const answer = entityOf(makeRefund(desk, order, payment, asked));
    keys.keep(merchant, key, { request, status: 200, answer });
    return c.json(answer);
  });

  api.get("/v1/payments/:id/refunds", (c) => {
    if (paymentOf(desk, c.var.merchant, c.req.param("id")) === undefined) return unknownId(c);
    const count = Number(c.req.query("count") ?? LISTED);
    const all = refunds.ofPayment(c.req.param("id")).filter((refund) => !isChargeback(refund));
    const items = all.slice(0, count).map(entityOf);
    return c.json({ entity: "collection", count: items.length, items });
  });

  api.get("/v1/refunds/:id", (c) => {
    const refund = refunds.findOwn(c.var.merchant, c.req.param("id"));
    return refund === undefined ? unknownId(c) : c.json(entityOf(refund));
  });
  return api;
}

/** A lost dispute does not come back (https://razorpay.com/docs/payments/disputes); one that is accepted is a refund. */
export const razorpayWriter: RefundWriter = {
  newId: (source) => mixedId(source === "chargeback" ? "disp_" : "rfnd_", 14),
  captured: ({ captured, amount }) => (captured === true ? Number(amount) : 0),

  show(_order, payment, all) {
    const refunded = sumOf(all.filter((one) => isOut(one) && !isChargeback(one)));
    const isWhole = refunded >= Number(payment.amount);
    Object.assign(payment, {
      amount_refunded: refunded,
      refund_status: refunded === 0 ? null : isWhole ? "full" : "partial",
      status: isWhole ? "refunded" : payment.captured ? "captured" : payment.status,
    });
  },

  events(refund, payment, moment) {
    const of = { payment: { entity: payment } };
    if (isChargeback(refund))
      return [event("payment.dispute.lost", { ...of, dispute: { entity: disputeOf(refund) } })];
    const payload = { refund: { entity: entityOf(refund) }, ...of };
    const ended = refund.state === "pending" ? [] : [event(`refund.${statusOf(refund)}`, payload)];
    return moment === "made" ? [event("refund.created", payload), ...ended] : ended;
  },
};

/** https://razorpay.com/docs/api/disputes/entity */
function disputeOf({ id, amount, currency, payment_id, created_at }: Refund): Entity {
  const created = Math.floor(created_at / 1_000);
  return {
    id,
    entity: "dispute",
    payment_id,
    amount,
    currency,
    amount_deducted: amount,
    reason_code: "chargeback",
    respond_by: created,
    status: "lost",
    phase: "chargeback",
    created_at: created,
  };
}

function entityOf(refund: Refund): Entity {
  const { id, amount, currency, payment_id, sent, created_at } = refund;
  return {
    id,
    entity: "refund",
    amount,
    currency,
    payment_id,
    // PHP's empty map.
    notes: sent.notes ?? [],
    receipt: sent.receipt ?? null,
    acquirer_data: { arn: null },
    created_at: Math.floor(created_at / 1_000),
    batch_id: null,
    status: statusOf(refund),
    speed_processed: "normal",
    speed_requested: sent.speed ?? "normal",
  };
}

function statusOf({ state }: Refund): string {
  return state === "succeeded" ? "processed" : state;
}
