import { html, raw } from "hono/html";
import { ICON } from "#api/page-parts/icon.ts";
import type { Kind, Merchant } from "./merchants.ts";
import { isOver, type Order, wrongAmount } from "./orders.ts";

type Html = ReturnType<typeof html>;
/** How an order stands, in words; `isKept` where its money, or a part, is still at the gateway. */
type OrderState = { text: string; isKept: boolean };

const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

const GATEWAYS: Record<Kind, { name: string; colour: string }> = {
  razorpay: { name: "Razorpay", colour: "#0b5fd8" },
  stripe: { name: "Stripe", colour: "#5b50e8" },
  paypal: { name: "PayPal", colour: "#0a4a9e" },
};

/** The page on which a person plays the payer of an order; `moneyBack` is what can happen to its payments later. */
export function payPage(
  order: Order,
  state: OrderState,
  merchant: Merchant,
  lateMs: number,
  moneyBack: Html[],
) {
  const { name, colour } = GATEWAYS[order.kind];
  const total = amountText(order.amount, order.currency);
  const main = html`
  <p>${merchant.name}</p>
  <h1>${total}</h1>
  <p class="quiet">${order.title}</p>
  ${isOver(order) ? html`<p class="${state.isKept ? "done" : "returned"}">${sentence(state.text)}</p>` : buttons(order, total, lateMs)}
  ${moneyBack}
  ${order.webhooks.length > 0 && webhookList(order)}
  ${order.cancel_url && order.state !== "paid" && html`<a href="${order.cancel_url}">Cancel and go back</a>`}
  ${order.return_url && order.state === "paid" && html`<a href="${order.return_url}">Go back</a>`}`;
  return page(`Pay ${total} to ${merchant.name}`, name, colour, main, `Stand-in for ${name} · ${order.id}`);
}

/** The page that lists what can be paid and was paid. */
export function ordersPage(orders: { order: Order; state: OrderState }[]) {
  const rows = orders.map(
    ({ order: { kind, id, title, amount, currency, created_at }, state }) =>
      html`<tr><td><a href="/pay/${kind}/${id}">${title}</a><td>${GATEWAYS[kind].name}<td>${TIME.format(created_at)}<td>${amountText(amount, currency)}<td>${state.text}`,
  );
  const table = html`<h2>Orders at the gateways</h2>
  ${orders.length > 0 ? html`<table class="orders">${rows}</table>` : html`<p class="quiet">There are no orders yet.</p>`}`;
  return page("Orders at the gateways", "Payment gateways", "#16202e", table, "Razorpay, Stripe, PayPal");
}

/** What closes a payment page that stands in a frame: it reports the payment to the page around it. */
export function tellOpener(proof: object) {
  return html`<!doctype html><title>Paid</title><script>${raw(`parent.postMessage(${JSON.stringify(proof)}, "*")`)}</script>`;
}

function page(title: string, name: string, colour: string, main: Html, footer: string) {
  return html`<!doctype html>
<html lang="en" style="--colour: ${colour}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${raw(STYLE)}</style>
<header><strong>${name}</strong><span><a href="/">Sandbox</a>: no money moves</span></header>
<main>${main}
</main>
<footer>${footer}</footer>
</html>
`;
}

function buttons(order: Order, total: string, lateMs: number) {
  const wrong = amountText(wrongAmount(order), order.currency);
  return html`<form method="post">
    <button name="outcome" value="paid" class="primary">Pay ${total}</button>
    <p class="quiet">Or try what else can happen</p>
    <button name="outcome" value="failed">The payment fails</button>
    <button name="outcome" value="twice">Pay twice</button>
    <button name="outcome" value="wrong_amount">Pay ${wrong} instead</button>
    <button name="outcome" value="delayed">Pay, but confirm after ${lateMs / 1_000} seconds</button>
  </form>`;
}

function webhookList({ webhooks }: Order) {
  const rows = webhooks.map(
    ({ event, statuses }) =>
      html`<tr><td>${event}<td>${statuses.map((status) => status ?? "no answer").join(", ")}`,
  );
  return html`<table><caption>Webhooks sent</caption>${rows}</table>`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** An amount of hundredths with the sign of its currency. */
export function amountText(minor: number, currency: string): string {
  const locale = currency === "INR" ? "en-IN" : "en-GB";
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(minor / 100);
}

const STYLE = `
  :root { color-scheme: light; --line: #d9dde3; }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; background: #f3f5f8; color: #16202e; font: 16px/1.5 system-ui, sans-serif; }
  header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .9rem 1.25rem; background: var(--colour); color: #fff; }
  header a { color: inherit; }
  main { max-width: 26rem; margin: 2.5rem auto 1rem; padding: 2rem 1.75rem; background: #fff; border-radius: 14px;
    box-shadow: 0 1px 3px #16202e22, 0 12px 32px #16202e14; text-align: center; }
  main:has(.orders) { max-width: 52rem; } h2 { margin: 0; font-size: 1.25rem; } h1 { margin: 0; font-size: 2.4rem; letter-spacing: -.02em; } p { margin: .25rem 0; }
  .quiet, footer, caption { color: #5b6675; font-size: .875rem; }
  form { display: grid; gap: .6rem; margin: 1.5rem 0 1rem; } form .quiet { margin-top: .6rem; }
  button { font: inherit; padding: .65rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: #fff; color: inherit; cursor: pointer; }
  button:hover { border-color: var(--colour); }
  .primary { background: var(--colour); border-color: var(--colour); color: #fff; font-weight: 600; }
  .primary:hover { filter: brightness(1.1); }
  section { margin-top: 1.5rem; border-top: 1px solid var(--line); padding-top: 1rem; } section h2 { font: .8rem ui-monospace, monospace; overflow-wrap: anywhere; }
  label { font-size: .875rem; text-align: left; } input { font: inherit; width: 100%; padding: .5rem; border: 1px solid var(--line); border-radius: 8px; }
  a { color: var(--colour); } .done, .returned { font-weight: 600; font-size: 1.2rem; margin: 1rem 0; } .done { color: #14733b; }
  table { width: 100%; margin: 1rem 0; border-collapse: collapse; font: .8rem/1.5 ui-monospace, monospace; text-align: left; }
  caption { text-align: left; font-family: system-ui, sans-serif; padding-bottom: .25rem; } td { padding: .25rem 0; border-top: 1px solid var(--line); } td + td { padding-left: 1rem; text-align: right; }
  .orders td:first-child, p { overflow-wrap: anywhere; } .orders td + td:not(:last-child) { white-space: nowrap; }
  @media (max-width: 30rem) {
    main { margin-top: 1rem; padding: 1.5rem 1rem; } .orders td { display: block; border: 0; padding: 0; text-align: left; }
    .orders td:not(:first-child) { display: inline-block; padding-right: .75rem; }
    .orders tr { display: block; padding: .5rem 0; border-top: 1px solid var(--line); }
  }
  footer { text-align: center; padding: 0 1rem 2rem; overflow-wrap: anywhere; }
`;
