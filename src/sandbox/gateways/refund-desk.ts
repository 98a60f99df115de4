import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Kind } from "./merchants.ts";
import type { Entity, Order } from "./orders.ts";
import { paypalWriter } from "./paypal-refunds.ts";
import { razorpayWriter } from "./razorpay-refunds.ts";
import { endRefund, makeRefund, paymentOf, type RefundWriter } from "./refund-course.ts";
import { canEnd, refundForms } from "./refund-forms.ts";
import type { Refund } from "./refunds.ts";
import type { StandInContext } from "./stand-in-context.ts";
import { stripeWriter } from "./stripe-refunds.ts";

const WRITERS: Record<Kind, RefundWriter> = {
  razorpay: razorpayWriter,
  stripe: stripeWriter,
  paypal: paypalWriter,
};

const MoneyBack = z.strictObject({
  /** Who gives or takes it: a person at the gateway's console, the gateway itself, the payer's bank. */
  source: z.enum(["console", "auto", "chargeback"]),
  amount: z.int().positive().optional(),
});
const End = z.strictObject({ outcome: z.enum(["succeeded", "failed", "reversed"]) });

/**
 * What happens to a payment without the API: for people a form, which leads back to the page of the payment; for scripts a
 * POST of JSON, which is answered when its webhooks are delivered.
 */
export function refundDesk(desk: StandInContext): Hono {
  const { refunds, webhooks } = desk;
  const pages = new Hono();

  /** The ledger of an account: all money that went back, oldest first. */
  pages.get("/refunds/:account", (c) => c.json(refunds.of(c.req.param("account"))));

  /** Gives a payment's money back, or takes it: the whole unless an amount is named. */
  pages.post("/accounts/:account/payments/:id", async (c) => {
    const found = paymentOf(desk, { account: c.req.param("account") }, c.req.param("id"));
    if (found === undefined) return c.json({ error: "There is no such payment." }, 404);
    const input = MoneyBack.safeParse(await sentIn(c));
    if (!input.success) return c.json({ error: z.prettifyError(input.error) }, 422);
    const { order, payment } = found;
    const { source } = input.data;
    const left = leftOf(order, payment, source) - refunds.sumOf(payment.id);
    const { amount = left } = input.data;
    if (amount <= 0 || amount > left) return c.json({ error: `There are ${left} left of the payment.` }, 409);
    return done(c, order, makeRefund(desk, WRITERS[order.kind], order, payment, { amount, source }));
  });

  /** Ends a refund that is on its way, lets one that arrived fail, or gives a chargeback's money again. */
  pages.post("/refunds/:id", async (c) => {
    const refund = refunds.find(c.req.param("id"));
    const input = End.safeParse(await sentIn(c));
    if (!input.success) return c.json({ error: z.prettifyError(input.error) }, 422);
    const order = refund && desk.orders.find(refund.kind, refund.order_id);
    if (refund === undefined || order === undefined)
      return c.json({ error: "There is no such refund." }, 404);
    const { outcome } = input.data;
    if (!canEnd(refund, outcome))
      return c.json({ error: `It is ${refund.state} and cannot be ${outcome}.` }, 409);
    endRefund(desk, WRITERS[order.kind], order, refund, outcome);
    return done(c, order, refund);
  });

  async function done(c: Context, order: Order, refund: Refund): Promise<Response> {
    if (isForm(c)) return c.redirect(`/pay/${order.kind}/${order.id}`, 303);
    await webhooks.delivered(order);
    return c.json({ refund, webhooks: order.webhooks });
  }
  return pages;
}

/** The forms of the page of an order: what can happen to each of its payments at the gateway. */
export function moneyBackOf({ refunds }: StandInContext, order: Order) {
  return order.payments.map((payment) => {
    const left = leftOf(order, payment, "console") - refunds.sumOf(payment.id);
    return refundForms(order, String(payment.id), left, refunds.ofPayment(payment.id));
  });
}

/** What a script or a form sends; a form has its amount in whole units. */
async function sentIn(c: Context): Promise<unknown> {
  if (!isForm(c)) return c.req.json().catch(() => undefined);
  const { amount, ...typed } = await c.req.parseBody();
  return amount === undefined ? typed : { ...typed, amount: Math.round(Number(amount) * 100) };
}

function isForm(c: Context): boolean {
  return c.req.header("Content-Type")?.startsWith("application/x-www-form-urlencoded") === true;
}

/** What can go back of a payment at most: Razorpay gives an authorized one back by itself, where it is never captured. */
function leftOf(order: Order, payment: Entity, source: Refund["source"]): number {
  if (source !== "auto") return WRITERS[order.kind].captured(payment);
  return order.kind === "razorpay" && payment.status === "authorized" ? Number(payment.amount) : 0;
}
