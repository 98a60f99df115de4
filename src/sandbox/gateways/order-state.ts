import type { Order } from "./orders.ts";
import { amountText } from "./pay-page.ts";
import { isChargeback, isOut, sumOf } from "./refunds.ts";
import type { StandInContext } from "./stand-in-context.ts";

/** How an order stands: what its payer did, and what went back since; `isKept` where money of it is still here. */
export function orderState({ refunds, writers }: StandInContext, order: Order) {
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
