import { createHmac, randomBytes } from "node:crypto";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { meetFaults } from "./faults.ts";
import type { Caller } from "./merchants.ts";
import { type Entity, type Order, openOrder, type PayerAction, wrongAmount } from "./orders.ts";
import { basicCredentials, bearerToken, mixedId, type StandInContext, seconds } from "./stand-in-context.ts";
import { event, invalid, keyReused, missing, parseForm, refuse } from "./stripe-answers.ts";
import { stripeRefunds } from "./stripe-refunds.ts";
import type { Event } from "./webhook-event.ts";
import type { Sign } from "./webhooks.ts";

const DAY_S = 86_400;
// https://docs.stripe.com/currencies, "Minimum and maximum charge amounts".
const LEAST: Record<string, number> = { gbp: 30, myr: 200 };
const LEAST_OF_OTHERS = 50;

const whole = z.string().regex(/^\d+$/, "Invalid integer").transform(Number);
const metadata = z.record(z.string(), z.string().max(500)).default({});
const webAddress = z.url({ protocol: /^https?$/ });
const LineItem = z.strictObject({
  quantity: whole,
  price_data: z.strictObject({
    currency: z.string().regex(/^[a-z]{3}$/),
    unit_amount: whole,
    product_data: z.strictObject({ name: z.string().min(1) }),
  }),
});
const NewSession = z.strictObject({
  mode: z.literal("payment"),
  line_items: z.record(z.string(), LineItem),
  success_url: webAddress,
  cancel_url: webAddress.optional(),
  client_reference_id: z.string().max(200).optional(),
  // Stripe publishes no rule of its own; hosts of other scripts come as `xn--`.
  customer_email: z.email({ pattern: z.regexes.html5Email }).optional(),
  expires_at: whole.optional(),
  metadata,
  payment_intent_data: z.strictObject({ metadata }).optional(),
});

/** Stripe's Checkout Sessions. */
export function stripeApi(desk: StandInContext): Hono<Caller> {
  const { origin, merchants, orders, faults, webhooks } = desk;
  const api = new Hono<Caller>();
  api.use(async (c, next) => {
    const authorization = c.req.header("Authorization");
    const key = bearerToken(authorization) || basicCredentials(authorization)[0];
    const merchant = merchants.identify("stripe", key);
    if (merchant === undefined) return refuse(c, 401, `Invalid API Key provided: ${key.slice(0, 8)}***`);
    c.set("merchant", merchant);
    return next();
  });
  const trouble = { error: { message: "An unknown error occurred", type: "api_error" } };
  const message = "There is currently another in-progress request using this Idempotent Key.";
  const busy = { error: { code: "idempotency_key_in_use", message, type: "idempotency_error" } };
  api.use(meetFaults(faults, trouble, busy));

  api.post("/v1/checkout/sessions", async (c) => {
    const body = await c.req.text();
    const key = c.req.header("Idempotency-Key");
    const earlier = orders.findByKey(c.var.merchant, key);
    if (earlier !== undefined) {
      if (earlier.request?.body !== body) return keyReused(c, key);
      c.header("Idempotent-Replayed", "true");
      return c.json(earlier.entity);
    }
    const input = NewSession.safeParse(parseForm(body));
    if (!input.success) return invalid(c, input.error);
    const { line_items, expires_at = seconds() + DAY_S, ...session } = input.data;
    const [first, ...others] = Object.values(line_items);
    if (first === undefined) return missing(c, "line_items");
    // Stripe wants 30 minutes to 24 hours; a company whose clock is shifted reckons by its own.
    const { currency, product_data } = first.price_data;
    if (others.some((line) => line.price_data.currency !== currency)) {
      return refuse(c, 400, "All line items must have the same currency", "line_items");
    }
    const amount = [first, ...others].reduce(
      (sum, line) => sum + line.quantity * line.price_data.unit_amount,
      0,
    );
    if (amount < (LEAST[currency] ?? LEAST_OF_OTHERS)) {
      const least = "The Checkout Session's total amount must convert to at least 50 cents.";
      return refuse(c, 400, least, undefined, "amount_too_small");
    }
    const id = mixedId("cs_test_", 58);
    const entity = {
      id,
      object: "checkout.session",
      amount_subtotal: amount,
      amount_total: amount,
      cancel_url: session.cancel_url ?? null,
      client_reference_id: session.client_reference_id ?? null,
      created: seconds(),
      currency,
      customer: null,
      customer_email: session.customer_email ?? null,
      expires_at,
      livemode: false,
      metadata: session.metadata,
      mode: session.mode,
      payment_intent: null,
      payment_method_types: ["card"],
      payment_status: "unpaid",
      status: "open",
      success_url: session.success_url,
      url: `${origin}/pay/stripe/${id}`,
    };
    orders.add(
      openOrder(c.var.merchant, {
        id,
        amount,
        currency: currency.toUpperCase(),
        title: product_data.name,
        return_url: session.success_url.replace("{CHECKOUT_SESSION_ID}", id),
        cancel_url: session.cancel_url ?? null,
        request: key === undefined ? null : { key, body },
        entity,
      }),
    );
    return c.json(entity);
  });

  api.get("/v1/checkout/sessions/:id", (c) => {
    const order = orders.findOwn(c.var.merchant, c.req.param("id"));
    return order === undefined ? unknownSession(c) : c.json(order.entity);
  });

  /** https://docs.stripe.com/api/checkout/sessions/expire; the wording of its refusal is the stand-in's. */
  api.post("/v1/checkout/sessions/:id/expire", (c) => {
    const order = orders.findOwn(c.var.merchant, c.req.param("id"));
    if (order === undefined) return unknownSession(c);
    if (order.entity.status !== "open")
      return refuse(c, 400, "Only an open Checkout Session can be expired.");
    order.state = "expired";
    Object.assign(order.entity, { status: "expired", url: null });
    webhooks.send(order, [event("checkout.session.expired", order.entity)]);
    orders.save();
    return c.json(order.entity);
  });
  return api.route("/", stripeRefunds(desk));
}

/** The refusal of a session that the account does not have. */
function unknownSession(c: Context): Response {
  const message = `No such checkout.session: ${c.req.param("id")}`;
  return refuse(c, 404, message, "session", "resource_missing");
}

/** Lets the payer act on a session, and gives the webhooks of it; a payment that fails does so after the visit. */
export function playStripe(order: Order, outcome: PayerAction): Event[] {
  if (outcome === "failed") {
    const unpaid = event("checkout.session.completed", complete(order, order.amount, "unpaid"));
    return [unpaid, event("checkout.session.async_payment_failed", order.entity)];
  }
  const amount = outcome === "wrong_amount" ? wrongAmount(order) : order.amount;
  const events = [event("checkout.session.completed", complete(order, amount, "paid"))];
  if (outcome === "twice") events.push(event("checkout.session.completed", complete(order, amount, "paid")));
  order.state = "paid";
  return events;
}

export const signStripe: Sign = ({ webhook_secret }, { body }) => {
  const time = seconds();
  const signature = createHmac("sha256", webhook_secret).update(`${time}.${body}`).digest("hex");
  // v0 is what Stripe adds to events of test mode, to be ignored.
  const v0 = randomBytes(32).toString("hex");
  return { "Stripe-Signature": `t=${time},v1=${signature},v0=${v0}`, "User-Agent": "Stripe/1.0" };
};

function complete(order: Order, amount: number, paymentStatus: "paid" | "unpaid"): Entity {
  const payment = { id: mixedId("pi_", 24), object: "payment_intent", amount, status: paymentStatus };
  order.payments.push(payment);
  return Object.assign(order.entity, {
    amount_subtotal: amount,
    amount_total: amount,
    payment_intent: payment.id,
    payment_status: paymentStatus,
    status: "complete",
  });
}
