import { sum } from "#shared/money/shares.ts";
import { type End, end, type Move, touches } from "./move.ts";
import { creditNoteShows, invoiceShows } from "./shown.ts";
import { stateOf } from "./state-of.ts";
import { partsToAllocate } from "./to-allocate.ts";

type Invoice = { id: string; total: number; isVoided: boolean };
type Note = { id: string; invoice: string; total: number };

/** What a decision reads: the moves of a sale and of its documents, its invoices, and their notes that stand, the oldest first. */
export type Sale = {
  name: string;
  currency: string;
  moves: readonly Move[];
  invoices: readonly Invoice[];
  notes: readonly Note[];
};

/** What makes moves: its name begins their keys, so that they are written once. */
export type Cause = { by: string; at: number };

/** The move of an amount, of the money of a capture where one is given; none of nothing. */
export function moved(
  sale: Sale,
  { by, at: createdAt }: Cause,
  [from, to]: readonly [from: End, to: End],
  amount: number,
  captureId: number | null = null,
): Move[] {
  if (amount <= 0) return [];
  const key = [by, from.kind, from.id, to.kind, to.id, captureId ?? ""].join(":");
  const known = sale.moves.find((move) => captureId !== null && move.captureId === captureId);
  const currency = known?.currency ?? sale.currency;
  return [{ key, sale: sale.name, from, to, captureId, amount, currency, takesBack: null, createdAt }];
}

/** The moves the other way of those that nothing took back yet. */
export function takenBack({ moves }: Sale, { at }: Cause, which: (move: Move) => boolean): Move[] {
  const gone = new Set(moves.map(({ takesBack }) => takesBack));
  const live = moves.filter((move) => move.takesBack === null && !gone.has(move.key) && which(move));
  return live.map(({ key, from, to, ...move }) => ({
    ...{ ...move, key: `${key}:back`, from: to, to: from, takesBack: key, createdAt: at },
  }));
}

/** A sale once moves are written: those that are there already are not written again. */
export function withMoves(sale: Sale, moves: readonly Move[]): Sale {
  const seen = new Set(sale.moves.map(({ key }) => key));
  return { ...sale, moves: [...sale.moves, ...moves.filter(({ key }) => !seen.has(key))] };
}

/** The moves of each thing, decided once those of the things before it are written. */
export function inTurn<Thing>(
  sale: Sale,
  things: readonly Thing[],
  decide: (seen: Sale, thing: Thing) => Move[],
): Move[] {
  let seen = sale;
  return things.flatMap((thing) => {
    const moves = decide(seen, thing);
    seen = withMoves(seen, moves);
    return moves;
  });
}

/** What is due of an invoice. */
export function dueOf({ moves, invoices }: Sale, id: string): number {
  const invoice = invoices.find((one) => one.id === id);
  const own = moves.filter((move) => touches(move, end("invoice", id)));
  return invoice === undefined ? 0 : invoiceShows(invoice, own, []).amount_due;
}

/** What is not used of a note. */
export function unusedOf({ moves }: Sale, { id, total }: Note): number {
  const own = moves.filter((move) => touches(move, end("note", id)));
  return creditNoteShows({ total, isVoided: false }, own).unapplied_amount;
}

/** The unused credit of an invoice's notes that may be used: what gateways gave back of the invoice by themselves is not. */
export function freeCreditOf(sale: Sale, invoice: string): number {
  const notes = sale.notes.filter((note) => note.invoice === invoice);
  const parts = partsToAllocate(stateOf(sale.moves)).filter((part) => part.document === `invoice:${invoice}`);
  const toAllocate = sum(parts.map(({ amount }) => amount));
  return Math.max(0, sum(notes.map((note) => unusedOf(sale, note))) - toAllocate);
}
