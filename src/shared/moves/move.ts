import { sum } from "#shared/money/shares.ts";

/**
 * Where money is, or what it became. `note`: credit of a credit note. `to_allocate`: what a gateway gave back by itself of
 * money that documents have; its id is the refund's. `settled`: given back by hand.
 */
type EndKind =
  | ("capture" | "hand" | "tds" | "pool" | "invoice" | "receipt" | "note")
  | ("refund" | "payer" | "payout" | "settled" | "fee" | "to_allocate");
export type End = { kind: EndKind; id: string };

export const end = (kind: EndKind, id: string | number): End => ({ kind, id: String(id) });

/** An amount that went from one end to another: a row of `money_moves`, without what made it, its entry and its day. */
export type Move = {
  /** Names it by what made it: a second write of it changes nothing. */
  key: string;
  /** Whose pool or document it concerns: `order:12`, `booking:01H..`, `invoice:7`, or `capture:5` that nothing asked for. */
  sale: string;
  from: End;
  to: End;
  /** The capture whose money it is; null where it is of none. */
  captureId: number | null;
  /** Minor units, never below 0. */
  amount: number;
  currency: string;
  /** The key of the move that it takes back. */
  takesBack: string | null;
  /** Null where what made it does not say. */
  createdAt: number | null;
};

/** What went from ends of some kinds to ends of others, less what went the other way. */
export function net(moves: readonly Move[], from: readonly EndKind[], to: readonly EndKind[]): number {
  const went = (one: End, other: End) => from.includes(one.kind) && to.includes(other.kind);
  return sum(
    moves.map((move) =>
      went(move.from, move.to) ? move.amount : went(move.to, move.from) ? -move.amount : 0,
    ),
  );
}

/** Whether a move begins or ends there. */
export function touches({ from, to }: Move, { kind, id }: End): boolean {
  return [from, to].some((one) => one.kind === kind && one.id === id);
}
