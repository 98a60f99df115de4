import { sql } from "drizzle-orm";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { freeCredit } from "#features/credit-notes";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { fill, sum } from "#shared/money/shares.ts";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { fieldProblem, Problem, type ProblemCode } from "#shared/problem.ts";
import { gatewayCaptures } from "#tables/captures";
import { creditNotes } from "#tables/credit-notes";
import { type Held, type Known, knownOf, selectHeld } from "./held.ts";
import type { RefundCreate } from "./schema.ts";

/** What a refund is asked of. */
export type Target = Pick<RefundCreate, "capture_id" | "credit_note_id" | "amount">;

/** What is to be refunded of one capture, in minor units, and what of it Customer Advances holds. */
export type Share = {
  held: Held;
  creditNoteId: number | null;
  customerId: number | null;
  amount: number;
  advanceAmount: number;
};

/** What gateways give back at least, in minor units. Razorpay, one rupee: https://razorpay.com/docs/api/refunds/ */
export const SMALLEST = { razorpay: 100 } satisfies Partial<Record<GatewayKind, number>>;

/** The queries that find what a refund may take. */
export function selectTarget(ctx: ReadCtx, { capture_id: captureId, credit_note_id: noteId }: Target) {
  const note = ctx.db
    .select({
      status: creditNotes.status,
      customerId: creditNotes.customerId,
      unapplied: freeCredit,
    })
    .from(creditNotes)
    .where(sql`${creditNotes.id} = ${noteId ?? null}`);
  const invoiceId = sql<number>`(SELECT ${creditNotes.invoiceId} FROM ${creditNotes} WHERE ${creditNotes.id} = ${noteId ?? null})`;
  return [note, selectHeld(ctx, sql`${gatewayCaptures.id} = ${captureId ?? null}`, invoiceId)] as const;
}
type Note = { status: string; customerId: number; unapplied: number };

/** The shares that a refund takes of what was found. Throws what says why it cannot. */
export function shareOut(target: Target, [note]: readonly Note[], held: readonly Held[]): Share[] {
  const { capture_id: captureId, credit_note_id: noteId, amount } = target;
  const shares =
    noteId == null
      ? [
          ofCapture(
            held.find(({ capture }) => capture.id === captureId),
            amount ?? null,
          ),
        ]
      : ofNote(noteId, note, held, amount ?? null);
  refuseSmall(shares);
  return shares;
}

/** Throws 422 for a share that its gateway does not give back. */
export function refuseSmall(shares: readonly Pick<Share, "held" | "amount">[]): void {
  for (const { held, amount } of shares) {
    const { gateway } = held.capture;
    if (gateway === "razorpay" && amount < SMALLEST.razorpay)
      throw fieldProblem("amount", "too_small", `is less than ${gateway} gives back`);
  }
}

/** What of a capture that its invoice was paid with is not given back yet. */
export function freeOfInvoice(one: Held): number {
  const all = knownOf(one);
  const credited = all.filter(({ status, invoiceId }) => status !== "failed" && invoiceId === one.invoiceId);
  const left = one.paid - sum(credited.map((refund) => refund.credited));
  return Math.max(Math.min(one.capture.amount - backOf(all), left), 0);
}

/** What of a capture waits in Customer Advances, and is not given back yet. */
export function freeAdvance(one: Held): number {
  const { amount, advanceAmount } = one.capture;
  return Math.max(Math.min(advanceAmount, amount - backOf(knownOf(one))), 0);
}

/** A share of money that waits in Customer Advances. */
export function ofAdvance(share: { held: Held; amount: number }) {
  const { customerId } = share.held.capture;
  return { ...share, creditNoteId: null, customerId, advanceAmount: share.amount };
}

/** Money of a capture that waits in Customer Advances. */
function ofCapture(held: Held | undefined, asked: number | null): Share {
  if (held === undefined) throw fieldProblem("capture_id", "not_found", "names no capture");
  const { amount: total, invoicedAmount } = held.capture;
  const left = total - backOf(knownOf(held));
  const free = freeAdvance(held);
  const amount = asked ?? free;
  if (amount === 0 || amount > free) {
    const isInvoiced = invoicedAmount > 0 && left > free && amount <= left;
    throw exceeds(isInvoiced ? "credit_note_required" : "refund_exceeds_payment", free, [held]);
  }
  return { held, creditNoteId: null, customerId: held.capture.customerId, amount, advanceAmount: amount };
}

/** Unused credit of a note, out of the captures that its invoice was paid with. */
function ofNote(
  creditNoteId: number,
  note: Note | undefined,
  held: readonly Held[],
  asked: number | null,
): Share[] {
  if (note === undefined) throw fieldProblem("credit_note_id", "not_found", "names no credit note");
  if (note.status === "voided") throw new Problem("credit_note_voided");
  const free = held.map(freeOfInvoice);
  const whole = sum(free);
  const most = Math.min(whole, note.unapplied);
  const amount = asked ?? most;
  if (amount > note.unapplied) throw exhausted(note.unapplied);
  if (amount === 0 || amount > whole) throw exceeds("refund_exceeds_payment", most, held);
  const { customerId } = note;
  return sharesOf(fill(amount, free), held).map((share) => ({
    ...share,
    ...{ creditNoteId, customerId, advanceAmount: 0 },
  }));
}

/** The captures of which something is taken. */
export function sharesOf(parts: readonly number[], held: readonly Held[]) {
  return held.flatMap((one, place) => {
    const amount = parts[place] ?? 0;
    return amount === 0 ? [] : [{ held: one, amount }];
  });
}

/** What of a capture is given back, or will be. */
function backOf(all: readonly Known[]): number {
  return all.reduce((sum, { status, amount }) => sum + (status === "failed" ? 0 : amount), 0);
}

/** The 422 that says how much may be given back, and how much of it all is on its way. */
export function exceeds(code: ProblemCode, free: number, held: readonly Pick<Held, "known">[]): Problem {
  const running = held.flatMap(knownOf).filter(({ status }) => status === "created" || status === "pending");
  const onItsWay = sum(running.map(({ amount }) => amount));
  const left = moneyToWire(free);
  const pending = moneyToWire(onItsWay);
  const why = held.length === 0 ? ": nothing was paid through a gateway" : "";
  const message =
    code === "credit_note_required"
      ? "is of an invoice that stands"
      : `is above what can go back now: ${left}${onItsWay === 0 ? why : `, while ${pending} is on its way`}`;
  const { details } = fieldProblem("amount", code, message, code);
  const members = { refundable_amount: left, ...(onItsWay === 0 ? {} : { pending_amount: pending }) };
  return new Problem(code, { ...details, members });
}

function exhausted(free: number): Problem {
  const { details } = fieldProblem("amount", "too_big", "is above what is left of the note");
  return new Problem("credit_exhausted", { ...details, members: { unapplied_amount: moneyToWire(free) } });
}

/** Why the database refused a refund: what its target holds by now. */
export async function whyExceeded(ctx: Ctx, target: Target): Promise<Problem> {
  const [notes, held] = await ctx.database.read(selectTarget(ctx, target));
  try {
    shareOut(target, notes, held);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return new Problem("refund_exceeds_payment");
}
