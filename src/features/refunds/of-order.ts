import { eq, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { creditNoteQueries, foundFor, freeCredit } from "#features/credit-notes";
import { capturesOf } from "#features/gateway-payments";
import { isOfExtraMoney } from "#shared/payments/refunds.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import { salesOrders } from "#tables/storefront";
import { planByNote } from "./by-note.ts";
import {
  exceeds,
  fill,
  freeAdvance,
  ofAdvance,
  refuseSmall,
  shareOut,
  sharesOf,
  sum,
} from "./find-target.ts";
import { type Held, selectHeld } from "./held.ts";
import type { RefundCreate } from "./schema.ts";
import { askedBy, newRefund, type Plan, storing } from "./send.ts";

export type Wanted = Omit<RefundCreate, "order_id" | "booking_id" | "capture_id" | "credit_note_id">;

/**
 * The plan of an order's refund. What waits of its captures goes back first, then unused credit that is due back. Of an
 * order that is invoiced, a credit note is issued, whose excess goes back.
 */
export async function planOrderRefund(ctx: Ctx, id: number, body: Wanted): Promise<Plan> {
  const found = await look(ctx, id);
  if (found === undefined) throw fieldProblem("order_id", "not_found", "names no order");
  return planFound(ctx, found, body, !isOfExtraMoney(body.reason));
}

/**
 * The plan of the refund that ends the review of an order: what is due of it, or all where the sale itself is reviewed.
 * Throws 409 where nothing is due. The batch is refused as `invalid_status` if the order has changed.
 */
export async function planOrderResolution(ctx: Ctx, id: number, seen: number | null): Promise<Plan> {
  const found = await look(ctx, id);
  if (found === undefined) throw new Problem("not_found");
  const { needsRefund, reviewCode, status, updatedAt } = found.order;
  if (seen !== null && seen !== updatedAt) throw new Problem("version_conflict");
  const isSaleReviewed = found.isInvoiced && reviewCode !== null && reviewCode !== "overcaptured";
  const isDue = needsRefund === 1 || reviewCode !== null;
  const waits = sum(advancesOf(found.held)) > 0 || found.credit !== undefined;
  if (!isDue || (!waits && !isSaleReviewed)) throw new Problem("invalid_status");
  const plan = planFound(ctx, found, { reason: "cancellation" }, isSaleReviewed);
  const late = () => new Problem(seen === null ? "invalid_status" : "version_conflict");
  // The statements of an open plan decide its amounts: its refusal is no sign of another call.
  const refusals =
    plan.isOpen === true
      ? plan.refusals
      : { refund_exceeds_payment: late, capture_exceeded: late, credit_exhausted: late };
  const changed = sql`NOT EXISTS (SELECT 1 FROM ${salesOrders} WHERE ${salesOrders.id} = ${id}
    AND ${salesOrders.status} = ${status} AND ${salesOrders.needsRefund} = ${needsRefund}
    AND ${salesOrders.reviewCode} IS ${reviewCode} AND (${seen} IS NULL OR ${salesOrders.updatedAt} = ${seen}))`;
  return {
    ...plan,
    statements: [refuseWhen(changed, "invalid_status"), ...plan.statements],
    refusals: { ...refusals, invalid_status: late },
  };
}

async function look(ctx: Ctx, id: number) {
  const invoiceId = sql<number>`(SELECT ${salesOrders.invoiceId} FROM ${salesOrders} WHERE ${salesOrders.id} = ${id})`;
  const { needsRefund, reviewCode, status, updatedAt } = salesOrders;
  const [[order], held, [credit], ...noted] = await read(ctx, [
    ctx.db
      .select({ needsRefund, reviewCode, status, updatedAt, invoiceStatus: invoices.status })
      .from(salesOrders)
      .leftJoin(invoices, eq(invoices.id, salesOrders.invoiceId))
      .where(eq(salesOrders.id, id)),
    selectHeld(ctx, capturesOf("order", String(id)), invoiceId),
    ctx.db
      .select({
        ...{ id: creditNotes.id, status: creditNotes.status, customerId: creditNotes.customerId },
        unapplied: freeCredit,
      })
      .from(creditNotes)
      .where(sql`${creditNotes.invoiceId} = ${invoiceId} AND ${freeCredit} > 0`)
      .orderBy(creditNotes.id)
      .limit(1),
    ...creditNoteQueries(invoiceId),
  ] as const);
  const isInvoiced = order?.status === "invoiced" && order.invoiceStatus !== "voided";
  return order && { order, isInvoiced, held, credit, noted };
}
type Found = NonNullable<Awaited<ReturnType<typeof look>>>;

/** `mayCredit`: a credit note may be issued. */
function planFound(
  ctx: Ctx,
  { order, isInvoiced, held, credit, noted }: Found,
  body: Wanted,
  mayCredit: boolean,
): Plan {
  const isWhole = body.items == null && body.restock !== true;
  if (!(isInvoiced && mayCredit) && !isWhole)
    throw fieldProblem(
      body.items == null ? "restock" : "items",
      "not_accepted",
      "is for the sale of an order with an invoice",
    );
  if (!isInvoiced || (isWhole && sum(advancesOf(held)) > 0)) return planAdvances(ctx, held, body);
  if (isWhole && order.needsRefund === 1 && credit !== undefined) {
    const shares = shareOut({ credit_note_id: credit.id, amount: body.amount }, [credit], held);
    return storing(
      ctx,
      shares.map((share) => newRefund(ctx, share, askedBy(body))),
      tooLate(credit.unapplied, held),
    );
  }
  if (!mayCredit) throw exceeds("refund_exceeds_payment", 0, held);
  return planByNote(ctx, foundFor(noted), held, body);
}

/** The plan of a refund of money that waits in Customer Advances, the oldest captures first. */
export function planAdvances(ctx: Ctx, held: readonly Held[], body: Wanted): Plan {
  const free = advancesOf(held);
  const whole = sum(free);
  const amount = body.amount ?? whole;
  if (amount === 0 || amount > whole) throw exceeds("refund_exceeds_payment", whole, held);
  const shares = sharesOf(fill(amount, free), held);
  refuseSmall(shares);
  return storing(
    ctx,
    shares.map((share) => newRefund(ctx, ofAdvance(share), askedBy(body))),
    tooLate(whole, held),
  );
}

export function advancesOf(held: readonly Held[]): number[] {
  return held.map((one) => (one.isAsked === 1 ? freeAdvance(one) : 0));
}

/** The refusals of a refund whose money another took meanwhile. */
export function tooLate(whole: number, held: readonly Held[]) {
  const exceeded = () => exceeds("refund_exceeds_payment", whole, held);
  return { refund_exceeds_payment: exceeded, capture_exceeded: exceeded, credit_exhausted: exceeded };
}
