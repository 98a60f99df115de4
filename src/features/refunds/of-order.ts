import { eq, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { creditNoteQueries, creditOf, foundFor } from "#features/credit-notes";
import { capturesOf } from "#features/gateway-payments";
import { fill, sum } from "#shared/money/shares.ts";
import { isOfExtraMoney } from "#shared/payments/refunds.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { invoices } from "#tables/invoices";
import { salesOrders } from "#tables/storefront";
import { planByNotes } from "./by-note.ts";
import { exceeds, freeAdvance, freeOfInvoice, ofAdvance, refuseSmall, sharesOf } from "./find-target.ts";
import { type Held, type Known, knownOf, selectHeld } from "./held.ts";
import type { RefundCreate } from "./schema.ts";
import { askedBy, newRefund, type Plan, storing } from "./send.ts";

const BEING_SENT =
  "What was due of the order is being sent: once its gateway has answered, the sale can be refunded, or name its items";

export type Wanted = Omit<RefundCreate, "order_id" | "booking_id" | "capture_id" | "credit_note_id">;

/**
 * The plan of an order's refund: of what is due of it, which waits of its captures or is unused credit of its invoice. Where
 * nothing is due, a credit note is issued for its invoice, and goes back with what older notes leave.
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
export async function planOrderResolution(
  ctx: Ctx,
  id: number,
  { seen, restock }: { seen: number | null; restock: boolean },
): Promise<Plan> {
  const found = await look(ctx, id);
  if (found === undefined) throw new Problem("not_found");
  const { needsRefund, reviewCode, status, updatedAt } = found.order;
  if (seen !== null && seen !== updatedAt) throw new Problem("version_conflict");
  const isSaleReviewed = found.isInvoiced && reviewCode !== null && reviewCode !== "overcaptured";
  const isDue = needsRefund === 1 || reviewCode !== null;
  const waits = sum(advancesOf(found.held)) > 0 || found.order.unused > found.order.uncovered;
  if (!isDue || (!waits && !isSaleReviewed)) throw new Problem("invalid_status");
  const plan = planFound(ctx, found, { reason: "cancellation", restock }, isSaleReviewed);
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
  const [[order], held, ...noted] = await read(ctx, [
    ctx.db
      .select({
        ...{ needsRefund, reviewCode, status, updatedAt, invoiceStatus: invoices.status },
        ...creditOf(invoiceId),
      })
      .from(salesOrders)
      .leftJoin(invoices, eq(invoices.id, salesOrders.invoiceId))
      .where(eq(salesOrders.id, id)),
    selectHeld(ctx, capturesOf("order", String(id)), invoiceId),
    ...creditNoteQueries(invoiceId),
  ] as const);
  const isInvoiced = order?.status === "invoiced" && order.invoiceStatus !== "voided";
  return order && { order, isInvoiced, held, noted };
}
type Found = NonNullable<Awaited<ReturnType<typeof look>>>;

/** `mayCredit`: a credit note may be issued. */
function planFound(
  ctx: Ctx,
  { order, isInvoiced, held, noted }: Found,
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
  if (!isInvoiced) return planAdvances(ctx, held, body);
  const ofInvoice = sum(held.map(freeOfInvoice));
  const advances = advancesOf(held);
  const waiting = sum(advances);
  const notes: number[] = JSON.parse(order.notes);
  const credit = order.unused - order.uncovered;
  const owed = order.needsRefund === 1 ? Math.max(0, Math.min(credit, ofInvoice)) : 0;
  if (isWhole && waiting + owed > 0) {
    const amount = body.amount ?? waiting + owed;
    if (amount > waiting + owed) throw exceeds("refund_exceeds_payment", waiting + owed, held);
    if (amount <= waiting) return planAdvances(ctx, held, body);
    const parts = { advances, ofInvoice: amount - waiting, isAll: false, notes, credit };
    return planByNotes(ctx, foundFor(noted), held, body, parts);
  }
  // A call that ran beside this one sends what was due: the sale is not credited by the second of two like calls.
  if (isWhole && mayCredit && isBeingSent(held))
    throw new Problem("refund_in_progress", { message: BEING_SENT });
  const most = mayCredit ? ofInvoice : 0;
  const amount = body.amount ?? most;
  if (amount === 0 || amount > most) throw exceeds("refund_exceeds_payment", most, held);
  // Lines and goods have a note of their own, beside what is due.
  const due = isWhole
    ? { advances: [], credit }
    : { advances: order.needsRefund === 1 ? advances : [], credit: 0 };
  const parts = { ...due, notes, ofInvoice: amount, isAll: body.amount == null };
  return planByNotes(ctx, foundFor(noted), held, body, parts);
}

/** Whether the gateway has not answered yet that money is sent which waited of an order. */
function isBeingSent(held: readonly Held[]): boolean {
  const sends = ({ status, credited }: Known) => status === "created" && credited === 0;
  return held.some((one) => one.isAsked === 1 && knownOf(one).some(sends));
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
