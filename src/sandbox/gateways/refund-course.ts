import type { Merchant } from "./merchants.ts";
import type { Entity, NextRefund, Order } from "./orders.ts";
import type { Refund } from "./refunds.ts";
import type { StandInContext } from "./stand-in-context.ts";

type Asked = Pick<Refund, "amount" | "source"> & Partial<Pick<Refund, "key" | "sent">>;

/** Gives money of a payment back and sends the webhooks of it; its outcome is the chosen one, else that of the account's faults. */
export function makeRefund(
  desk: StandInContext,
  order: Order,
  payment: Entity,
  { amount, source, key = null, sent = {} }: Asked,
): Refund {
  const { faults, refunds, writers, lateMs } = desk;
  const isStruck = source === "api" && faults.strikes(order.account, "refund_pending");
  const outcome = takeNext(order, String(payment.id), source) ?? (isStruck ? "pending" : "succeeded");
  const refund = refunds.add({
    kind: order.kind,
    account: order.account,
    id: writers[order.kind].newId(source),
    order_id: order.id,
    payment_id: String(payment.id),
    amount,
    currency: order.currency,
    key,
    source,
    state: outcome === "succeeded" ? "succeeded" : "pending",
    sent,
    created_at: Date.now(),
  });
  if (source === "api" && faults.strikes(order.account, "refund_fails_late")) {
    refund.fails_at = refund.created_at + lateMs;
    refunds.save();
  }
  report(desk, order, refund, "made");
  if (outcome === "failed") endRefund(desk, order, refund, "failed");
  awaitLateFailure(desk, order, refund);
  return refund;
}

/** Lets those refunds fail that were to fail late when the stand-ins ended. */
export function awaitLateFailures(desk: StandInContext): void {
  for (const refund of desk.refunds.failingLate()) {
    const order = desk.orders.find(refund.kind, refund.order_id);
    if (order !== undefined) awaitLateFailure(desk, order, refund);
  }
}

/** Lets a refund fail when it is to: at once where its time passed while the stand-ins did not run. */
function awaitLateFailure(desk: StandInContext, order: Order, refund: Refund): void {
  const { fails_at: at } = refund;
  if (at === undefined) return;
  const fail = () => {
    if (!desk.webhooks.isStopped) endRefund(desk, order, refund, "failed");
  };
  setTimeout(fail, Math.max(0, at - Date.now())).unref();
}

/** Takes the outcome that was chosen for the next refund of a payment; no choice applies to chargebacks and automatic refunds. */
function takeNext(
  { next_refunds: chosen = {} }: Order,
  payment: string,
  source: Refund["source"],
): NextRefund | undefined {
  if (source !== "api" && source !== "console") return undefined;
  const { [payment]: outcome } = chosen;
  delete chosen[payment];
  return outcome;
}

/** Ends a refund that is on its way or seemed to have arrived, and sends the webhooks of that. */
export function endRefund(
  desk: StandInContext,
  order: Order,
  refund: Refund,
  state: "succeeded" | "failed" | "reversed",
): void {
  refund.state = state;
  delete refund.fails_at;
  desk.refunds.save();
  report(desk, order, refund, "ended");
}

/** A payment of an account, and its order. */
export function paymentOf(
  { orders }: StandInContext,
  merchant: Pick<Merchant, "account">,
  id: string,
): { order: Order; payment: Entity } | undefined {
  const order = orders.findByPayment(merchant, id);
  const payment = order?.payments.find((one) => one.id === id);
  return order === undefined || payment === undefined ? undefined : { order, payment };
}

function report(desk: StandInContext, order: Order, refund: Refund, moment: "made" | "ended"): void {
  const writer = desk.writers[order.kind];
  const payment = order.payments.find(({ id }) => id === refund.payment_id) ?? {};
  writer.show(order, payment, desk.refunds.ofPayment(refund.payment_id));
  desk.webhooks.send(order, writer.events(refund, payment, moment));
  desk.orders.save();
}
