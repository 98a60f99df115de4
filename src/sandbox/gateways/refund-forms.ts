import { html } from "hono/html";
import { NEXT_REFUNDS, type NextRefund, type Order } from "./orders.ts";
import { amountText } from "./pay-page.ts";
import type { Refund } from "./refunds.ts";

const OUTCOMES = { succeeded: "Let it succeed", failed: "Let it fail", reversed: "Reverse it" } as const;
type Outcome = keyof typeof OUTCOMES;

const NEXT: Record<NextRefund, { state: string; button: string }> = {
  succeeded: { state: "succeeds", button: "Let it succeed" },
  pending: { state: "waits", button: "Let it wait" },
  failed: { state: "fails", button: "Let it fail" },
};

const SOURCES: Record<Refund["source"], string> = {
  api: "Refund through the API",
  console: "Refund at the gateway",
  auto: "Refund by the gateway",
  chargeback: "Chargeback",
};

/**
 * PayPal and Razorpay have no word for a chargeback's money that comes again, and PayPal has no event of a refund that fails
 * after it succeeded (https://developer.paypal.com/api/rest/webhooks/event-names).
 */
export function canEnd({ kind, source, state }: Refund, outcome: Refund["state"]): boolean {
  if (outcome === "reversed") return kind === "stripe" && source === "chargeback" && state === "succeeded";
  if (source === "chargeback") return false;
  return state === "pending" || (state === "succeeded" && outcome === "failed" && kind !== "paypal");
}

/** What can happen to a payment at its gateway: money of it goes back, or the payer's bank takes it, and each refund ends. */
export function refundForms(order: Order, payment: string, left: number, refunds: Refund[]) {
  const { account, currency } = order;
  const path = `/pay/accounts/${account}/payments/${payment}`;
  return html`<section>
    <h2>${payment}</h2>
    ${refunds.map((refund) => refundForm(refund))}
    ${
      left > 0 &&
      html`<form method="post" action="${path}">
      <label>Amount, of ${amountText(left, currency)} that are left
        <input name="amount" type="number" min="0.01" step="0.01" max="${left / 100}" value="${left / 100}" required></label>
      <button name="source" value="console">Refund it at the gateway</button>
      <button name="source" value="chargeback">The payer's bank takes it back</button>
    </form>${nextRefundForm(path, order.next_refunds?.[payment] ?? "succeeded")}`
    }
  </section>`;
}

function nextRefundForm(path: string, chosen: NextRefund) {
  const others = NEXT_REFUNDS.filter((outcome) => outcome !== chosen);
  return html`<form method="post" action="${path}/next-refund">
    <p>The next refund <b>${NEXT[chosen].state}</b></p>
    ${others.map((outcome) => html`<button name="outcome" value="${outcome}">${NEXT[outcome].button}</button>`)}
  </form>`;
}

function refundForm(refund: Refund) {
  const outcomes = (Object.keys(OUTCOMES) as Outcome[]).filter((outcome) => canEnd(refund, outcome));
  return html`<form method="post" action="/pay/refunds/${refund.id}">
    <p>${SOURCES[refund.source]}: ${amountText(refund.amount, refund.currency)}, <b>${refund.state}</b></p>
    ${outcomes.map((outcome) => html`<button name="outcome" value="${outcome}">${OUTCOMES[outcome]}</button>`)}
  </form>`;
}
