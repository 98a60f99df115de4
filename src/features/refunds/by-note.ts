import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import {
  creditNoteRefusals,
  type Found,
  insertCreditNote,
  issuedBy,
  planCreditNote,
} from "#features/credit-notes";
import { CREDIT_REASONS, type CreditReason } from "#shared/payments/credit-reasons.ts";
import type { RefundReason } from "#shared/payments/refunds.ts";
import { creditNotes } from "#tables/credit-notes";
import { insertOf } from "./columns.ts";
import { exceeds, fill, freeOfInvoice, refuseSmall, sharesOf, sum } from "./find-target.ts";
import { freeCredit, type Held, type StoredRefund } from "./held.ts";
import type { RefundCreate } from "./schema.ts";
import { askedBy, newRefund, type Plan } from "./send.ts";
import { gatewayRefunds } from "./tables.ts";

type Wanted = Pick<RefundCreate, "amount" | "items" | "reason" | "reason_text" | "restock" | "speed">;

/**
 * The plan of a credit note and the refunds of what it leaves unused, on the captures that its invoice was paid with, the
 * oldest first. What these do not hold stays credit of the customer.
 */
export function planByNote(ctx: Ctx, found: Found, held: readonly Held[], body: Wanted): Plan {
  const { reason, items } = body;
  const free = held.map(freeOfInvoice);
  const whole = sum(free);
  const most = body.amount ?? whole;
  if (most === 0 || most > whole) throw exceeds("refund_exceeds_payment", whole, held);
  if (body.amount != null) refuseSmall(sharesOf(fill(most, free), held));
  const lines = items?.map(({ item, quantity }) => ({ id: lineAt(found, item), quantity }));
  const wanted = {
    ...{
      reason: creditReasonOf(reason),
      reason_text: body.reason_text ?? null,
      restock: body.restock === true,
    },
    ...(lines === undefined ? {} : { items: lines }),
    ...(body.amount == null ? {} : { amount: body.amount }),
  };
  const note = { ...planCreditNote(ctx, found, wanted, "item"), forRefund: true };
  const { customerId } = found.invoice;
  const all = sharesOf(free, held).map((share) =>
    newRefund(ctx, { ...share, customerId, creditNoteId: null, advanceAmount: 0 }, askedBy(body)),
  );
  const back = sql`(SELECT coalesce(sum(${gatewayRefunds.amount}), 0) FROM ${gatewayRefunds}
    WHERE ${gatewayRefunds.operation} = ${ctx.call.id})`;
  const isShort = body.amount == null ? sql`${back} = 0` : sql`${back} <> ${most}`;
  return {
    statements: [
      ...insertCreditNote(ctx, note),
      ...all.map(({ refund }) => insertOfNote(ctx, refund, sql`${most} - ${back}`)),
      refuseWhen(isShort, "refund_exceeds_payment"),
    ],
    all,
    refusals: {
      ...creditNoteRefusals(ctx, note),
      refund_exceeds_payment: () => exceeds("refund_exceeds_payment", whole, held),
    },
    isOpen: true,
  };
}

/** The id of a line by its number; of none where there is no such line, which the plan of the note refuses. */
function lineAt({ lines }: Found, item: number): number {
  return lines.find(({ position }) => position === item)?.id ?? 0;
}

/** The reason of the note of a refund. */
function creditReasonOf(reason: RefundReason): CreditReason {
  return CREDIT_REASONS.find((one) => one === reason) ?? "cancellation";
}

/** Stores a refund of the note that this call issues: at most its amount, what is left of the note, and `left`. */
function insertOfNote(ctx: Ctx, refund: StoredRefund, left: SQL): SQL {
  const {
    operation,
    key,
    gateway,
    captureId,
    customerId,
    source,
    currency,
    reason,
    reasonText,
    speed,
    status,
  } = refund;
  const unused = freeCredit;
  return sql`INSERT INTO ${gatewayRefunds} (${insertOf()})
    SELECT ${operation}, ${key}, ${gateway}, ${captureId}, ${customerId}, ${creditNotes.id}, ${source},
      min(${refund.amount}, ${unused}, ${left}), 0, ${currency}, ${reason}, ${reasonText}, ${speed}, ${status}, ${refund.attempts},
      ${refund.nextLookAt}, ${refund.sentAt}, ${refund.createdAt}
    FROM ${creditNotes} WHERE ${issuedBy(ctx)} AND min(${unused}, ${left}) > 0`;
}
