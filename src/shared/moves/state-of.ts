import { fill, sum } from "#shared/money/shares.ts";
import { type Move, net } from "./move.ts";

/** The money of one capture, in minor units. */
export type CaptureMoney = {
  id: number;
  currency: string;
  /** What came. */
  brought: number;
  /** What of it pays documents, by document, the newest payment first. */
  documents: ReadonlyMap<string, number>;
  settledByHand: number;
  fee: number;
  /** What its refunds took out of the pool, when they were made or later. */
  fromPool: number;
  /** What went back to the payer, and what is on its way there. */
  back: number;
  onItsWay: number;
  /** Its share of what is in the pool. */
  pool: number;
  /** What of it pays documents of the sale's other captures; below 0: what theirs pays of its own documents. */
  forOthers: number;
};

/** The money of a refund: its amount is 0 once it has failed. */
export type RefundMoney = {
  id: string;
  captureId: number;
  amount: number;
  back: number;
  /** What of it neither a credit note nor the pool bears: its gateway gave it back by itself. */
  toAllocate: number;
  createdAt: number;
};

/** The money of a sale: its captures and refunds, the oldest first, and their sums. */
export type SaleState = {
  captures: readonly CaptureMoney[];
  refunds: readonly RefundMoney[];
  /** What came, but for fees and what staff gave back by hand. */
  came: number;
  pool: number;
  back: number;
  /** Whether a refund has not ended. */
  isRunning: boolean;
};

/** What the moves of a sale come to, in whatever order they are given. */
export function stateOf(moves: readonly Move[]): SaleState {
  const inOrder = moves.toSorted(byAge);
  const refunds = refundsIn(inOrder);
  const byCapture = [...Map.groupBy(inOrder, ({ captureId }) => captureId)];
  const counted = byCapture.flatMap(([id, own]) => (id === null ? [] : [countedOf(id, own, refunds)]));
  const captures = withShares(counted.toSorted((one, other) => one.id - other.id));
  return {
    captures,
    refunds,
    came: sum(captures.map(({ brought, settledByHand, fee }) => brought - settledByHand - fee)),
    pool: sum(captures.map(({ pool }) => pool)),
    back: sum(captures.map(({ back }) => back)),
    isRunning: captures.some(({ onItsWay }) => onItsWay > 0),
  };
}

function byAge(one: Move, other: Move): number {
  const [at, otherAt] = [one.createdAt ?? Infinity, other.createdAt ?? Infinity];
  return at === otherAt ? (one.key < other.key ? -1 : 1) : at - otherAt;
}

function refundsIn(moves: readonly Move[]): RefundMoney[] {
  const refundOf = ({ from, to }: Move) =>
    [from, to].find(({ kind }) => kind === "refund" || kind === "to_allocate")?.id;
  return [...Map.groupBy(moves, refundOf)].flatMap(([id, own]) => {
    const captureId = own[0]?.captureId ?? null;
    if (id === undefined || captureId === null) return [];
    const amount = net(own, ["pool", "note", "to_allocate"], ["refund"]);
    const toAllocate = net(own, ["to_allocate"], ["refund"]) - net(own, ["pool", "note"], ["to_allocate"]);
    const back = net(own, ["refund"], ["payer"]);
    return [{ id, captureId, amount, back, toAllocate, createdAt: own[0]?.createdAt ?? 0 }];
  });
}

type Counted = Omit<CaptureMoney, "pool" | "forOthers">;

function countedOf(id: number, own: readonly Move[], refunds: readonly RefundMoney[]): Counted {
  const running = refunds.filter(({ captureId }) => captureId === id);
  return {
    id,
    currency: own[0]?.currency ?? "",
    brought: net(own, ["capture"], ["pool"]),
    documents: documentsIn(own),
    settledByHand: net(own, ["pool"], ["settled"]),
    fee: net(own, ["pool"], ["fee"]),
    fromPool: net(own, ["pool"], ["refund", "to_allocate"]),
    back: net(own, ["refund"], ["payer"]),
    onItsWay: sum(running.map(({ amount, back }) => amount - back)),
  };
}

/** What money of the pool pays, by document. */
function documentsIn(own: readonly Move[]): Map<string, number> {
  const documentOf = ({ from, to }: Move) => {
    const end = [from, to].find(({ kind }) => kind === "invoice" || kind === "receipt");
    return end && `${end.kind}:${end.id}`;
  };
  const paid = [...Map.groupBy(own.toReversed(), documentOf)].flatMap(([document, all]) => {
    const amount = net(all, ["pool"], ["invoice", "receipt"]);
    return document === undefined || amount === 0 ? [] : [[document, amount] as const];
  });
  return new Map(paid);
}

/**
 * Each capture with its share of the pool: what is left of it after its own documents and refunds. Where refunds of one
 * took more out of the pool than was left of it, the others of its currency have less, the oldest first.
 */
function withShares(captures: readonly Counted[]): CaptureMoney[] {
  return captures.map((capture) => {
    const alike = captures.filter(({ currency }) => currency === capture.currency);
    const left = alike.map(leftOf);
    const lacking = -sum(left.filter((one) => one < 0));
    const given = fill(
      lacking,
      left.map((one) => Math.max(0, one)),
    );
    const forOthers = Math.min(0, leftOf(capture)) + (given[alike.indexOf(capture)] ?? 0);
    return { ...capture, pool: leftOf(capture) - forOthers, forOthers };
  });
}

function leftOf({ brought, documents, settledByHand, fee, fromPool }: Counted): number {
  return brought - sum([...documents.values()]) - settledByHand - fee - fromPool;
}
