import type { RefundMoney, SaleState } from "./state-of.ts";

/** What a refund gave back of the money of a document, and no credit note says. */
export type PartToAllocate = { refund: RefundMoney; document: string; amount: number };

/**
 * What is to allocate, by document: a refund gave back what its own capture pays, the newest payment first; what is left of
 * it, that pays of documents of the sale's other captures, the oldest capture first. Money that is back comes first.
 */
export function partsToAllocate({
  captures,
  refunds,
}: Pick<SaleState, "captures" | "refunds">): PartToAllocate[] {
  const places = captures.map((capture) => ({
    ...capture,
    rooms: [...capture.documents].map(([document, room]) => ({ document, room })),
  }));
  const made = [...refunds.filter(isBack), ...refunds.filter((one) => !isBack(one))];
  const needs = made.map((refund) => ({ refund, left: refund.toAllocate }));
  const parts: PartToAllocate[] = [];
  const take = (need: (typeof needs)[number], { rooms }: (typeof places)[number], most: number) => {
    const before = need.left;
    for (const one of rooms) {
      const amount = Math.min(most - (before - need.left), one.room);
      if (amount <= 0) continue;
      parts.push({ refund: need.refund, document: one.document, amount });
      one.room -= amount;
      need.left -= amount;
    }
    return before - need.left;
  };
  const ownOf = ({ refund }: (typeof needs)[number]) => places.find(({ id }) => id === refund.captureId);
  for (const need of needs) {
    const own = ownOf(need);
    if (own !== undefined) take(need, own, need.left);
  }
  for (const need of needs) {
    const own = ownOf(need);
    for (const place of places) {
      if (own === undefined || place.currency !== own.currency) continue;
      const taken = take(need, place, Math.min(need.left, own.forOthers, -place.forOthers));
      place.forOthers += taken;
      own.forOthers -= taken;
    }
  }
  return parts;
}

/** Whether its money went back. */
export function isBack({ amount, back }: RefundMoney): boolean {
  return amount > 0 && amount === back;
}
