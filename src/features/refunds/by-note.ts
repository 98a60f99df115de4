import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import {
  creditNoteRefusals,
  type Found,
  freeCredit,
  insertCreditNote,
  issuedBy,
  planCreditNote,
} from "#features/credit-notes";
import { sum } from "#shared/money/shares.ts";
import { CREDIT_REASONS, type CreditReason } from "#shared/payments/credit-reasons.ts";
import type { RefundReason } from "#shared/payments/refunds.ts";
import { fieldProblem, type Problem } from "#shared/problem.ts";
import { creditNotes } from "#tables/credit-notes";
import { gatewayRefunds } from "#tables/refunds";
import { exceeds, freeOfInvoice, ofAdvance, refuseSmall, SMALLEST, sharesOf } from "./find-target.ts";
import type { Held, StoredRefund } from "./held.ts";
import { intoRefunds } from "./into-refunds.ts";
import type { RefundCreate } from "./schema.ts";
import { askedBy, newRefund, type Plan } from "./send.ts";

type Wanted = Pick<RefundCreate, "amount" | "items" | "reason" | "reason_text" | "restock" | "speed">;

/** What goes back of an invoice, and of what waits beside it. */
type Parts = {
  /** What waits and goes back, by capture. */
  advances: readonly number[];
  /** What goes back of the invoice. */
  ofInvoice: number;
  /** Whether that is all which is left of it. */
  isAll: boolean;
  /** The notes with unused credit, the oldest first. */
  notes: readonly number[];
  /** Their unused credit, less what no note bears of what gateways gave back by themselves. */
  credit: number;
};

/**
 * The plan of the refunds of what waits, then of unused credit of an invoice's notes, then of another note over the rest,
 * which bears what gateways gave back by themselves.
 */
export function planByNotes(
  ctx: Ctx,
  found: Found,
  held: readonly Held[],
  body: Wanted,
  { advances, ofInvoice, isAll, notes, credit }: Parts,
): Plan {
  const waiting = sharesOf(advances, held);
  refuseSmall(waiting);
  const first = waiting.map((share) => newRefund(ctx, ofAdvance(share), askedBy(body)));
  const lines = body.items?.map(({ item, quantity }) => ({ id: lineAt(found, item), quantity }));
  const wanted = {
    ...{ reason: creditReasonOf(body.reason), reason_text: body.reason_text ?? null },
    ...{ restock: body.restock === true, items: lines },
    amount: isAll ? undefined : ofInvoice - credit,
  };
  const note =
    ofInvoice > credit ? { ...planCreditNote(ctx, found, wanted, "item"), forRefund: true } : undefined;
  const shares = sharesOf(held.map(freeOfInvoice), held);
  const which = [
    ...notes.map((id) => sql`${creditNotes.id} = ${id}`),
    ...(note === undefined ? [] : [issuedBy(ctx)]),
  ];
  const back = backByNotes(ctx);
  const byNote = which.map((one) => ({ one, refunds: refundsOf(ctx, found, shares, body) }));
  const all = [...first, ...byNote.flatMap(({ refunds }) => refunds)];
  const isStored = sql`EXISTS (SELECT 1 FROM ${gatewayRefunds} WHERE ${gatewayRefunds.key} = ${all[0]?.refund.key})`;
  const isShort = isAll
    ? sql`${back} = 0 OR NOT ${isStored}`
    : sql`${back} <> ${ofInvoice} OR NOT ${isStored}`;
  const exceeded = () => exceeds("refund_exceeds_payment", sum(advances) + ofInvoice, held);
  return {
    statements: [
      ...first.map(({ refund }) => ctx.db.insert(gatewayRefunds).values(refund)),
      ...(note === undefined ? [] : insertCreditNote(ctx, note)),
      ...byNote.flatMap(({ one, refunds }) =>
        refunds.map(({ refund }) => insertOfNote(ctx, refund, one, sql`${ofInvoice} - ${back}`)),
      ),
      refuseWhen(isShort, "refund_exceeds_payment"),
      refuseWhen(hasTooSmall(ctx), "refund_too_small"),
    ],
    all,
    refusals: {
      ...(note === undefined ? {} : creditNoteRefusals(ctx, note)),
      refund_exceeds_payment: exceeded,
      refund_too_small: tooSmall,
      capture_exceeded: exceeded,
      credit_exhausted: exceeded,
    },
    isOpen: true,
  };
}

/** Refunds by a note, of at most what the shares have. */
function refundsOf(ctx: Ctx, { invoice }: Found, shares: ReturnType<typeof sharesOf>, body: Wanted) {
  const { customerId } = invoice;
  return shares.map((share) =>
    newRefund(ctx, { ...share, customerId, creditNoteId: null, advanceAmount: 0 }, askedBy(body)),
  );
}

/** What this call gives back by notes, of one capture if it is named. */
function backByNotes(ctx: Ctx, captureId?: number): SQL {
  const { amount, advanceAmount, operation } = gatewayRefunds;
  return sql`(SELECT coalesce(sum(${amount} - ${advanceAmount}), 0) FROM ${gatewayRefunds} WHERE ${operation} = ${ctx.call.id}
    ${captureId === undefined ? sql`` : sql`AND ${gatewayRefunds.captureId} = ${captureId}`})`;
}

/** Whether a refund of this call is less than its gateway gives back. */
function hasTooSmall(ctx: Ctx): SQL {
  const { operation, gateway, amount } = gatewayRefunds;
  return sql`EXISTS (SELECT 1 FROM ${gatewayRefunds} WHERE ${operation} = ${ctx.call.id}
    AND ${gateway} = 'razorpay' AND ${amount} < ${SMALLEST.razorpay})`;
}

function tooSmall(): Problem {
  return fieldProblem(
    "amount",
    "too_small",
    "would take less than 1.00 of one payment or credit note, which razorpay does not give back: pay that out by hand",
  );
}

/** The id of a line by its number; of none where there is no such line, which the plan of the note refuses. */
function lineAt({ lines }: Found, item: number): number {
  return lines.find(({ position }) => position === item)?.id ?? 0;
}

/** The reason of the note of a refund. */
function creditReasonOf(reason: RefundReason): CreditReason {
  return CREDIT_REASONS.find((one) => one === reason) ?? "cancellation";
}

/** Stores a refund of a note: at most what is left of its amount and of the note, and `left`. */
function insertOfNote(ctx: Ctx, refund: StoredRefund, note: SQL, left: SQL): SQL {
  const most = sql`min(${refund.amount} - ${backByNotes(ctx, refund.captureId)}, ${freeCredit}, ${left})`;
  return sql`${intoRefunds}
    SELECT ${refund.operation}, ${refund.key}, ${refund.gateway}, ${refund.captureId}, ${refund.customerId}, ${creditNotes.id},
      ${refund.source}, ${most}, 0, ${refund.currency}, ${refund.reason}, ${refund.reasonText}, ${refund.speed},
      ${refund.status}, ${refund.attempts}, ${refund.nextLookAt}, ${refund.sentAt}, ${refund.createdAt}
    FROM ${creditNotes} WHERE ${note} AND ${most} > 0`;
}
