import { sum } from "#shared/money/shares.ts";
import { end, type Move } from "./move.ts";
import { type Cause, dueOf, inTurn, moved, type Sale, takenBack, unusedOf } from "./sale.ts";
import { type CaptureMoney, stateOf } from "./state-of.ts";
import { partsToAllocate } from "./to-allocate.ts";

/**
 * Moves, and what they allocate: the pool bears what gateways gave back by themselves; the credit of an invoice's notes pays
 * what is due of it, and bears then what gateways gave back of it. An issued note allocates so by itself.
 */
export function withAllocation(sale: Sale, cause: Cause, moves: Move[]): Move[] {
  const steps = [() => moves, poolToRefunds, creditToDue, creditToRefunds];
  return inTurn(sale, steps, (seen, step) => step(seen, cause));
}

/** Money comes back to where it was: of a payment, a document, a credit or a refund that ended. */
export function returned(sale: Sale, cause: Cause, which: (move: Move) => boolean): Move[] {
  return withAllocation(sale, cause, takenBack(sale, cause, which));
}

/** What the pool has for refunds of a capture: no more than what of that was neither settled nor taken out for one. */
export function poolFor(captures: readonly CaptureMoney[], captureId: number) {
  const own = captures.find(({ id }) => id === captureId);
  if (own === undefined) return { pool: 0, bearable: 0 };
  const alike = captures.filter(({ currency }) => currency === own.currency);
  const bearable = Math.max(0, own.brought - own.settledByHand - own.fee - own.fromPool);
  return { pool: Math.min(bearable, sum(alike.map(({ pool }) => pool))), bearable };
}

/** The oldest refund first. */
function poolToRefunds(sale: Sale, cause: Cause): Move[] {
  return inTurn(sale, stateOf(sale.moves).refunds, (seen, { id, captureId, toAllocate }) => {
    const { pool } = poolFor(stateOf(seen.moves).captures, captureId);
    const ends = [end("pool", sale.name), end("to_allocate", id)] as const;
    return moved(sale, cause, ends, Math.min(toAllocate, pool), captureId);
  });
}

/** The oldest note first. */
function creditToDue(sale: Sale, cause: Cause): Move[] {
  return inTurn(sale, sale.notes, (seen, note) => {
    const amount = Math.min(dueOf(seen, note.invoice), unusedOf(seen, note));
    return moved(sale, cause, [end("note", note.id), end("invoice", note.invoice)], amount);
  });
}

/** The oldest note first; a note may bear a part of a refund. */
function creditToRefunds(sale: Sale, cause: Cause): Move[] {
  const pairs = sale.notes.flatMap((note) => stateOf(sale.moves).refunds.map((refund) => ({ note, refund })));
  return inTurn(sale, pairs, (seen, { note, refund: { id, captureId } }) => {
    const parts = partsToAllocate(stateOf(seen.moves)).filter(({ refund }) => refund.id === id);
    const ofInvoice = parts.filter(({ document }) => document === `invoice:${note.invoice}`);
    const amount = Math.min(sum(ofInvoice.map((part) => part.amount)), unusedOf(seen, note));
    return moved(sale, cause, [end("note", note.id), end("to_allocate", id)], amount, captureId);
  });
}
