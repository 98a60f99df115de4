import { fill, sum } from "#shared/money/shares.ts";
import { poolFor, returned, withAllocation } from "./allocate.ts";
import { end, type Move, net, touches } from "./move.ts";
import { type Cause, freeCreditOf, moved, type Sale, withMoves } from "./sale.ts";
import { type CaptureMoney, type SaleState, stateOf } from "./state-of.ts";

/** A part of the money of a capture. */
export type Share = { captureId: number; amount: number };

/** What of the pool may be sent back, by capture: none gives back more than it brought. */
export function refundableOfPool({ captures }: SaleState): Share[] {
  return captures.map((one) => ({
    captureId: one.id,
    amount: Math.max(0, Math.min(one.pool, atGateway(one))),
  }));
}

/** What of the credit of an invoice may be sent back, by capture: as much as its money pays of that and is not back yet. */
export function refundableOfCredit(sale: Sale, invoice: string): Share[] {
  const notes = sale.notes.filter((note) => note.invoice === invoice).map(({ id }) => end("note", id));
  const { captures } = stateOf(sale.moves);
  const most = captures.map((capture) => {
    const own = sale.moves.filter(({ captureId }) => captureId === capture.id);
    const credited = own.filter((move) => notes.some((note) => touches(move, note)));
    const paying = (capture.documents.get(`invoice:${invoice}`) ?? 0) + capture.forOthers;
    const left = paying - net(credited, ["note"], ["refund", "to_allocate"]);
    return Math.max(0, Math.min(atGateway(capture), left));
  });
  const shares = fill(freeCreditOf(sale, invoice), most);
  return captures.map(({ id }, place) => ({ captureId: id, amount: shares[place] ?? 0 }));
}

/** An amount shared out over captures, the oldest first. */
export function sharedOut(amount: number, shares: readonly Share[]): Share[] {
  const parts = fill(
    amount,
    shares.map((share) => share.amount),
  );
  return shares.map(({ captureId }, place) => ({ captureId, amount: parts[place] ?? 0 }));
}

/** A refund that a gateway made by itself. */
export type Reported = Share & {
  id: string;
  isBack: boolean;
  /** What the service is about to send of the capture, and its gateway has not accepted. */
  unsent: number;
  /** What staff marked before as given back at the gateway, which is the same money. */
  byHand: readonly Share[];
};

/**
 * A gateway gave money back by itself: what is in the pool first, then what staff marked as given back there, and the rest is
 * to allocate. Nothing of more than the capture brought: a person looks at such a report.
 */
export function refundReported(
  sale: Sale,
  cause: Cause,
  { id, captureId, amount, isBack, unsent, byHand }: Reported,
): Move[] {
  const { captures, refunds } = stateOf(sale.moves);
  const capture = captures.find((one) => one.id === captureId);
  const left = (capture === undefined ? 0 : atGateway(capture)) + unsent;
  if (amount > left || refunds.some((one) => one.id === id)) return [];
  const { pool, bearable } = poolFor(captures, captureId);
  const pooled = Math.min(amount, pool);
  const own = byHand.filter((share) => share.captureId === captureId);
  const alike = captures.filter((one) => one !== capture && one.currency === capture?.currency);
  const others = byHand.filter((share) => alike.some(({ id: other }) => other === share.captureId));
  const ofOwn = sharedOut(amount - pooled, own);
  const rest = Math.min(amount - pooled - totalOf(ofOwn), bearable - pooled);
  const marked = [...ofOwn, ...sharedOut(rest, others)];
  const fromPool = pooled + totalOf(marked);
  const [its, refund] = [end("pool", sale.name), end("refund", id)];
  const took = [
    ...marked.flatMap((part) => moved(sale, cause, [end("settled", id), its], part.amount, part.captureId)),
    ...moved(sale, cause, [its, refund], fromPool, captureId),
    ...moved(sale, cause, [end("to_allocate", id), refund], amount - fromPool, captureId),
  ];
  const went = isBack ? refundSucceeded(withMoves(sale, took), cause, id) : [];
  return withAllocation(sale, cause, [...took, ...went]);
}

/** A gateway confirms a refund: the payer has the money. */
export function refundSucceeded(sale: Sale, cause: Cause, id: string): Move[] {
  const refund = stateOf(sale.moves).refunds.find((one) => one.id === id);
  const left = refund === undefined ? 0 : refund.amount - refund.back;
  return moved(sale, cause, [end("refund", id), end("payer", sale.name)], left, refund?.captureId);
}

/** A refund failed, or a bank sent it back: all that it moved is where it was. */
export function refundFailed(sale: Sale, cause: Cause, id: string): Move[] {
  const its = [end("refund", id), end("to_allocate", id)];
  return returned(sale, cause, (move) => its.some((one) => touches(move, one)));
}

/** What of a capture its gateway has: no more goes back. */
function atGateway({ brought, back, onItsWay }: CaptureMoney): number {
  return brought - back - onItsWay;
}

function totalOf(shares: readonly Share[]): number {
  return sum(shares.map(({ amount }) => amount));
}
