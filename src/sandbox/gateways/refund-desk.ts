import { type Context, Hono } from "hono";
import * as z from "zod";
import { type Entity, NEXT_REFUNDS, type Order } from "./orders.ts";
import { endRefund, makeRefund, paymentOf } from "./refund-course.ts";
import { canEnd, refundForms } from "./refund-forms.ts";
import type { Refund } from "./refunds.ts";
import { oneOf, refusalText } from "./refusal-text.ts";
import type { StandInContext } from "./stand-in-context.ts";

const SOURCES = ["console", "auto", "chargeback"] as const;
const ENDS = ["succeeded", "failed", "reversed"] as const;

const AMOUNT = "must be a number above 0, in the smallest unit of the currency";

const MoneyBack = z.strictObject({
  /** Who gives or takes it: a person at the gateway's console, the gateway itself, the payer's bank. */
  source: z.enum(SOURCES, oneOf(SOURCES)),
  amount: z.int(AMOUNT).positive(AMOUNT).optional(),
});
const End = z.strictObject({ outcome: z.enum(ENDS, oneOf(ENDS)) });
const Next = z.strictObject({ outcome: z.enum(NEXT_REFUNDS, oneOf(NEXT_REFUNDS)) });

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
    if (!input.success) return c.json({ error: refusalText(input.error) }, 422);
    const { order, payment } = found;
    const { source } = input.data;
    const left = leftOf(desk, order, payment, source) - refunds.sumOf(payment.id);
    const { amount = left } = input.data;
    if (amount <= 0 || amount > left) return c.json({ error: `There are ${left} left of the payment.` }, 409);
    return done(c, order, makeRefund(desk, order, payment, { amount, source }));
  });

  /** Chooses what becomes of a payment's next refund, through the API or at the console. */
  pages.post("/accounts/:account/payments/:id/next-refund", async (c) => {
    const found = paymentOf(desk, { account: c.req.param("account") }, c.req.param("id"));
    if (found === undefined) return c.json({ error: "There is no such payment." }, 404);
    const input = Next.safeParse(await sentIn(c));
    if (!input.success) return c.json({ error: refusalText(input.error) }, 422);
    const { order } = found;
    const { outcome } = input.data;
    order.next_refunds = { ...order.next_refunds, [c.req.param("id")]: outcome };
    desk.orders.save();
    return isForm(c) ? backTo(c, order) : c.json({ payment_id: c.req.param("id"), next_refund: outcome });
  });

  /** Ends a refund that is on its way, lets one that arrived fail, or gives a chargeback's money again. */
  pages.post("/refunds/:id", async (c) => {
    const refund = refunds.find(c.req.param("id"));
    const input = End.safeParse(await sentIn(c));
    if (!input.success) return c.json({ error: refusalText(input.error) }, 422);
    const order = refund && desk.orders.find(refund.kind, refund.order_id);
    if (refund === undefined || order === undefined)
      return c.json({ error: "There is no such refund." }, 404);
    const { outcome } = input.data;
    if (!canEnd(refund, outcome))
      return c.json({ error: `It is ${refund.state} and cannot be ${outcome}.` }, 409);
    endRefund(desk, order, refund, outcome);
    return done(c, order, refund);
  });

  async function done(c: Context, order: Order, refund: Refund): Promise<Response> {
    if (isForm(c)) return backTo(c, order);
    await webhooks.delivered(order);
    return c.json({ refund, webhooks: order.webhooks });
  }
  return pages;
}

/** The forms of the page of an order: what can happen to each of its payments at the gateway. */
export function moneyBackOf(desk: StandInContext, order: Order) {
  const { refunds } = desk;
  return order.payments.map((payment) => {
    const left = leftOf(desk, order, payment, "console") - refunds.sumOf(payment.id);
    return refundForms(order, String(payment.id), left, refunds.ofPayment(payment.id));
  });
}

/** What a script or a form sends; a form has its amount in whole units. */
export async function sentIn(c: Context): Promise<unknown> {
  if (!isForm(c)) return c.req.json().catch(() => undefined);
  const { amount, ...typed } = await c.req.parseBody();
  return amount === undefined ? typed : { ...typed, amount: Math.round(Number(amount) * 100) };
}

function backTo(c: Context, { kind, id }: Order): Response {
  return c.redirect(`/pay/${kind}/${id}`, 303);
}

export function isForm(c: Context): boolean {
  return c.req.header("Content-Type")?.startsWith("application/x-www-form-urlencoded") === true;
}

/** What can go back of a payment at most: Razorpay gives an authorized one back by itself, where it is never captured. */
function leftOf(desk: StandInContext, order: Order, payment: Entity, source: Refund["source"]): number {
  if (source !== "auto") return desk.writers[order.kind].captured(payment);
  return order.kind === "razorpay" && payment.status === "authorized" ? Number(payment.amount) : 0;
}
