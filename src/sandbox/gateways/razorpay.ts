import { createHmac } from "node:crypto";
import { Hono } from "hono";
import * as z from "zod";
import { CHECKOUT_SCRIPT } from "./checkout-script.ts";
import { meetFaults } from "./faults.ts";
import type { Caller, Merchant } from "./merchants.ts";
import { type Entity, type Order, openOrder, type PayerAction, wrongAmount } from "./orders.ts";
import { event, failure, invalid, paymentEvent, refuse, unknownId } from "./razorpay-answers.ts";
import { razorpayRefunds } from "./razorpay-refunds.ts";
import { paymentOf } from "./refund-course.ts";
import { basicCredentials, mixedId, type StandInContext, seconds } from "./stand-in-context.ts";
import type { Event } from "./webhook-event.ts";
import type { Sign } from "./webhooks.ts";

const NewOrder = z.strictObject({
  amount: z.int().min(100),
  currency: z.string().regex(/^[A-Z]{3}$/),
  receipt: z.string().max(40).nullish(),
  notes: z.record(z.string(), z.string().max(256)).optional(),
  partial_payment: z.boolean().optional(),
  payment: z.looseObject({ capture: z.enum(["automatic", "manual"]) }).optional(),
});
const Capture = z.strictObject({ amount: z.int(), currency: z.string() });

/** Razorpay's orders and payments. */
export function razorpayApi(desk: StandInContext): Hono<Caller> {
  const { origin, merchants, orders, faults, webhooks } = desk;
  const api = new Hono<Caller>();
  // The hosted checkout takes a payer's form, with the addresses to come back to.
  api.post("/v1/checkout/embedded", async (c) => {
    const { order_id: id, callback_url: done, cancel_url: cancel } = await c.req.parseBody();
    const back = new URLSearchParams({ return_url: String(done), cancel_url: String(cancel) });
    return c.redirect(`${origin}/pay/razorpay/${id}?${back}`, 303);
  });
  api.get("/v1/checkout.js", (c) => c.body(CHECKOUT_SCRIPT, 200, { "Content-Type": "text/javascript" }));
  api.use(async (c, next) => {
    const [account, secret] = basicCredentials(c.req.header("Authorization"));
    const merchant = merchants.identify("razorpay", secret, account);
    if (merchant === undefined) return c.json(failure("BAD_REQUEST_ERROR", "Authentication failed"), 401);
    c.set("merchant", merchant);
    return next();
  });
  const trouble = failure("SERVER_ERROR", "We are facing some trouble completing your request");
  const busy = failure("BAD_REQUEST_ERROR", "Another request is in progress with the same idempotency key");
  api.use(meetFaults(faults, trouble, busy));

  api.post("/v1/orders", async (c) => {
    const input = NewOrder.safeParse(await c.req.json().catch(() => null));
    if (!input.success) return invalid(c, input.error);
    const { amount, currency, receipt, notes } = input.data;
    const entity = {
      id: mixedId("order_", 14),
      entity: "order",
      amount,
      amount_paid: 0,
      amount_due: amount,
      currency,
      receipt: receipt ?? null,
      offer_id: null,
      status: "created",
      attempts: 0,
      // PHP's empty map.
      notes: notes ?? [],
      created_at: seconds(),
    };
    const title = receipt ?? entity.id;
    orders.add(openOrder(c.var.merchant, { id: entity.id, amount, currency, title, entity }));
    return c.json(entity);
  });

  api.get("/v1/orders/:id", (c) => {
    const order = orders.findOwn(c.var.merchant, c.req.param("id"));
    return order === undefined ? unknownId(c) : c.json(order.entity);
  });

  api.get("/v1/orders/:id/payments", (c) => {
    const order = orders.findOwn(c.var.merchant, c.req.param("id"));
    if (order === undefined) return unknownId(c);
    return c.json({ entity: "collection", count: order.payments.length, items: order.payments });
  });

  api.post("/v1/payments/:id/capture", async (c) => {
    const found = paymentOf(desk, c.var.merchant, c.req.param("id"));
    if (found === undefined) return unknownId(c);
    const { order, payment } = found;
    const input = Capture.safeParse(await c.req.json().catch(() => null));
    if (!input.success) return invalid(c, input.error);
    if (payment.captured) return refuse(c, "This payment has already been captured");
    if (payment.status !== "authorized")
      return refuse(c, "Only payments which have been authorized can be captured");
    if (input.data.amount !== payment.amount || input.data.currency !== payment.currency) {
      return refuse(c, "Capture amount must be equal to the amount authorized");
    }
    webhooks.send(order, capture(order, payment));
    orders.save();
    return c.json(payment);
  });
  return api.route("/", razorpayRefunds(desk));
}

/** Lets the payer act on an order, and gives the webhooks of it. */
export function playRazorpay(order: Order, outcome: PayerAction): Event[] {
  if (outcome === "failed") return [paymentEvent("payment.failed", addPayment(order, order.amount, FAILED))];
  const payment = addPayment(
    order,
    outcome === "wrong_amount" ? wrongAmount(order) : order.amount,
    AUTHORIZED,
  );
  if (outcome === "authorized") return [paymentEvent("payment.authorized", payment)];
  const events = capture(order, payment);
  if (outcome !== "twice") return events;
  const second = addPayment(order, order.amount, AUTHORIZED);
  return [...events, ...capture(order, second).filter(({ type }) => type === "payment.captured")];
}

export const signRazorpay: Sign = ({ webhook_secret }, { id, body }) => ({
  "X-Razorpay-Signature": createHmac("sha256", webhook_secret).update(body).digest("hex"),
  "X-Razorpay-Event-Id": id,
  "User-Agent": "Razorpay-Webhook/v1",
});

/** What Checkout reports to the page that has opened it. */
export function proofOf({ id, payments }: Order, { secret }: Merchant) {
  const paymentId = String(payments.at(-1)?.id ?? mixedId("pay_", 14));
  return {
    razorpay_payment_id: paymentId,
    razorpay_order_id: id,
    razorpay_signature: createHmac("sha256", secret).update(`${id}|${paymentId}`).digest("hex"),
  };
}

const AUTHORIZED = { status: "authorized", error_code: null, error_description: null, error_reason: null };
const FAILED = {
  status: "failed",
  error_code: "BAD_REQUEST_ERROR",
  error_description: "Your payment was declined by the bank",
  error_reason: "payment_failed",
};

function addPayment(order: Order, amount: number, status: object): Entity {
  const payment = {
    id: mixedId("pay_", 14),
    entity: "payment",
    amount,
    currency: order.currency,
    order_id: order.id,
    invoice_id: null,
    international: false,
    method: "upi",
    amount_refunded: 0,
    refund_status: null,
    captured: false,
    description: null,
    email: "payer@example.com",
    contact: "+919000000000",
    notes: [],
    fee: null,
    tax: null,
    ...status,
    created_at: seconds(),
  };
  order.payments.push(payment);
  Object.assign(order.entity, { status: "attempted", attempts: order.payments.length });
  return payment;
}

function capture(order: Order, payment: Entity): Event[] {
  const paid = Number(payment.amount);
  Object.assign(payment, { status: "captured", captured: true, fee: Math.round(paid * 0.02), tax: 0 });
  const amountDue = Math.max(order.amount - paid, 0);
  Object.assign(order.entity, { status: "paid", amount_paid: paid, amount_due: amountDue });
  order.state = "paid";
  return [
    event("order.paid", { payment: { entity: payment }, order: { entity: order.entity } }),
    paymentEvent("payment.captured", payment),
  ];
}
