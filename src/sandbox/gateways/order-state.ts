import type { Order } from "./orders.ts";
import { amountText } from "./pay-page.ts";
import { WRITERS } from "./refund-writers.ts";
import { isChargeback, isOut, type Refund } from "./refunds.ts";
import type { StandInContext } from "./stand-in-context.ts";

/** How an order stands: what its payer did, and what went back since; `isKept` where money of it is still here. */
export function orderState({ refunds }: Pick<StandInContext, "refunds">, order: Order) {
  const out = order.payments.flatMap(({ id }) => refunds.ofPayment(id)).filter(isOut);
  const taken = order.payments.reduce((sum, payment) => sum + WRITERS[order.kind].captured(payment), 0);
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

function sumOf(refunds: Refund[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}
