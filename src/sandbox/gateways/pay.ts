import { type Context, Hono } from "hono";
import * as z from "zod";
import { FAULTS } from "./faults.ts";
import { Merchant } from "./merchants.ts";
import { isOver, type Order, PAYER_ACTIONS, type PayerAction } from "./orders.ts";
import { amountText, ordersPage, payPage, tellOpener } from "./pay-page.ts";
import { playPaypal } from "./paypal-events.ts";
import { playRazorpay, proofOf } from "./razorpay.ts";
import { isForm, moneyBackOf, refundDesk, sentIn } from "./refund-desk.ts";
import { isChargeback, isOut, sumOf } from "./refunds.ts";
import { oneOf, refusalText } from "./refusal-text.ts";
import type { StandInContext } from "./stand-in-context.ts";
import { playStripe } from "./stripe.ts";

const PLAY = { razorpay: playRazorpay, stripe: playStripe, paypal: playPaypal };

const Rates = z.partialRecord(z.enum([...FAULTS, "seed"]), z.number());
const PLAYS = [...PAYER_ACTIONS, "delayed"] as const;
const Play = z.object({ outcome: z.enum(PLAYS, oneOf(PLAYS)) });

/** The payment pages: for people a form with buttons, for scripts a POST of JSON. */
export function payPages(desk: StandInContext): Hono {
  const { merchants, orders, faults, webhooks, lateMs } = desk;
  const pages = new Hono().route("/", refundDesk(desk));

  /** Lets a test open an account. */
  pages.put("/merchants", async (c) => {
    const input = Merchant.safeParse(await sentIn(c));
    if (!input.success) return c.json({ error: refusalText(input.error) }, 422);
    merchants.add(input.data);
    return c.json(input.data);
  });

  /** Lets a test ask for faults of an account, `{"refused_call":0.1,"seed":7}`. */
  pages.put("/faults/:account", async (c) => {
    const input = Rates.safeParse(await sentIn(c));
    if (!input.success) return c.json({ error: refusalText(input.error) }, 422);
    faults.set(c.req.param("account"), input.data);
    return c.json(input.data);
  });

  /** Lets a test count what an account was asked to take. */
  pages.get("/accounts/:account/orders", (c) => {
    const isOwn = ({ account }: Order) => account === c.req.param("account");
    return c.json(
      orders
        .newest(Number.POSITIVE_INFINITY)
        .filter(isOwn)
        .map(({ id }) => id),
    );
  });

  pages.get("/", (c) => {
    const newest = orders.newest(50).map((order) => ({ order, state: orderState(desk, order) }));
    return c.html(ordersPage(newest));
  });

  pages.get("/:kind/:id", (c) => {
    const order = orders.find(c.req.param("kind"), c.req.param("id"));
    if (order === undefined) return c.text("There is no such order.", 404);
    // Razorpay's API knows no addresses to return to: the page that links here names them.
    order.return_url ??= readAddress(c, "return_url");
    order.cancel_url ??= readAddress(c, "cancel_url");
    const merchant = merchants.get(order.account);
    return c.html(payPage(order, orderState(desk, order), merchant, lateMs, moneyBackOf(desk, order)));
  });

  pages.post("/:kind/:id", async (c) => {
    const order = orders.find(c.req.param("kind"), c.req.param("id"));
    if (order === undefined) return c.json({ error: "There is no such order." }, 404);
    const input = Play.safeParse(await sentIn(c));
    if (!input.success) return c.json({ error: refusalText(input.error) }, 422);
    const { outcome } = input.data;
    if (isOver(order)) return c.json({ error: `The order is ${order.state}.` }, 409);
    const before = order.webhooks.length;
    if (outcome === "delayed") setTimeout(() => play(order, "paid"), lateMs).unref();
    else play(order, outcome);
    if (isForm(c) && c.req.query("frame")) {
      if (outcome === "failed") return c.redirect(`${c.req.path}?frame=1`, 303);
      return c.html(tellOpener(proofOf(order, merchants.get(order.account))));
    }
    if (isForm(c)) {
      const address = outcome === "failed" ? order.cancel_url : order.return_url;
      return c.redirect(address ?? c.req.path, 303);
    }
    await webhooks.delivered(order);
    return c.json({
      gateway: order.kind,
      account: order.account,
      gateway_order_id: order.id,
      outcome,
      state: order.state,
      payment_ids: order.payments.map(({ id }) => id),
      webhooks: order.webhooks.slice(before),
    });
  });

  function play(order: Order, outcome: PayerAction): void {
    if (isOver(order)) return;
    order.outcome = outcome;
    webhooks.send(order, PLAY[order.kind](order, outcome));
    orders.save();
  }
  return pages;
}

/** How an order stands: what its payer did, and what went back since; `isKept` where money of it is still here. */
function orderState({ refunds, writers }: StandInContext, order: Order) {
  const out = order.payments.flatMap(({ id }) => refunds.ofPayment(id)).filter(isOut);
  const { captured } = writers[order.kind];
  const taken = order.payments.reduce((sum, payment) => sum + captured(payment), 0);
  const charged = sumOf(out.filter(isChargeback));
  const pending = sumOf(out.filter(({ state }) => state === "pending"));
  const back = sumOf(out) - charged - pending;
  const isKept = charged + pending + back < taken;
  if (charged > 0 && charged === taken) return { text: "charged back", isKept };
  const parts = [
    [back, "went back"],
    [pending, "is on its way back"],
    [charged, "was charged back"],
  ] as const;
  const moved = parts.filter(([sum]) => sum > 0);
  const words = moved.map(([sum, word]) => `${amountText(sum, order.currency)} ${word}`);
  const state = order.state === "open" && order.outcome === "failed" ? "failed" : order.state;
  return { text: [state, ...words].join(", "), isKept };
}

function readAddress(c: Context, name: string): string | null {
  const address = URL.parse(c.req.query(name) ?? "");
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : null;
}
