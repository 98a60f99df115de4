import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { WriteCtx } from "#core/context.ts";
import { amount, idText, internal } from "#core/sql/fields.ts";
import { listByDays } from "#core/sql/narrowed.ts";
import { listNewestOf } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import {
  closedDate,
  postDocument,
  postedFields,
  REVERSAL_REFUSALS,
  type ReversalDate,
  reasonUnposted,
  refuseFuture,
  reversalDay,
  reverseEntries,
} from "#features/ledger";
import { activeMode, modeInactive } from "#features/payments";
import { type RecordParams, recordId } from "#shared/fields/ids.ts";
import { UNPOSTED_REASONS, type UnpostedReason } from "#shared/payments/posting-warnings.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { creditNotes, creditPayouts } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import { exhausted } from "./apply.ts";
import type { PayoutCreate } from "./schema.ts";

/** Money of a note that was given back by hand. */
export const payout = record(
  creditPayouts,
  {
    id: idText,
    credit_note_id: idText,
    amount,
    payout_date: z.string(),
    payment_mode_id: z.int(),
    reference_number: z.string().nullable().describe("A reference of your own."),
    ...postedFields(
      "credit_payout",
      creditPayouts.id,
      "The entry that posts it; null while there is none.",
      "When it was taken back; null while it stands.",
    ),
    created_at: internal<number>(),
  },
  "CreditNotePayout",
);
export const RecordedPayout = payout.schema
  .extend({
    warnings: z
      .array(z.enum(UNPOSTED_REASONS))
      .optional()
      .meta({ description: "Why no journal entry was posted; absent where one was." }),
  })
  .meta({ id: "RecordedPayout" });
export type PayoutRow = RowOf<typeof payout> & { unposted: UnpostedReason | null };

export function renderPayout({ unposted, ...row }: PayoutRow) {
  return { ...payout.render(row), ...(unposted === null ? {} : { warnings: [unposted] }) };
}

/** Records that credit of a note was paid back by hand, and posts it out of the mode's account. */
export async function payOutCreditNote(
  ctx: WriteCtx,
  { id }: RecordParams,
  body: PayoutCreate,
): Promise<PayoutRow> {
  const own = ctx.db
    .select({ note: creditNotes, currency: invoices.currency })
    .from(creditNotes)
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .where(eq(creditNotes.id, id));
  const [[found]] = await read(ctx, [own]);
  const modeId = body.payment_mode_id;
  if (found === undefined) throw new Problem("not_found");
  const { note, currency } = found;
  if (note.status === "voided") throw new Problem("credit_note_voided");
  refuseFuture(ctx, "payout_date", body.payout_date);
  const isMine = eq(creditPayouts.operation, ctx.call.id);
  const source = {
    voucherType: "credit_payout",
    sourceType: "credit_payout",
    sourceId: sql<number>`(SELECT ${creditPayouts.id} FROM ${creditPayouts} WHERE ${isMine})`,
  } as const;
  return atomic(
    ctx,
    [
      ctx.db.insert(creditPayouts).values({
        operation: ctx.call.id,
        creditNoteId: id,
        amount: body.amount,
        payoutDate: body.payout_date,
        // NULL, which the table refuses, of a mode that is not active.
        paymentModeId: activeMode({ modeId }),
        referenceNumber: body.reference_number ?? null,
        createdAt: ctx.now,
      }),
      ...postDocument(ctx, source, { currency, date: body.payout_date }),
    ],
    sql<PayoutRow>`SELECT json_set(${payout.columns()}, '$.unposted',
      ${reasonUnposted("credit_payout", sql`${creditPayouts.id}`)}) AS snapshot FROM ${creditPayouts} WHERE ${isMine}`,
    {
      ...closedDate("payout_date"),
      payout_before_note: () =>
        fieldProblem("payout_date", "too_small", "must not be before the date of the note"),
      credit_exhausted: () => exhausted(ctx, id),
      "credit_payouts.payment_mode_id": modeInactive,
    },
  );
}

/** What was paid back by hand of a note. */
export const listPayouts = listNewestOf(creditNotes.id, payout, creditPayouts.creditNoteId);

/** What was paid back by hand of all credit notes. */
export const listAllPayouts = listByDays(payout, {
  column: creditPayouts.payoutDate,
  second: creditPayouts.createdAt,
});

export const PayoutParams = z.object({ id: recordId, payout_id: recordId });

/** Takes a payout back once: triggers make its credit free again, and what it had ended is owed as before. */
export function reversePayout(
  ctx: WriteCtx,
  { id, payout_id: one }: z.output<typeof PayoutParams>,
  asked: ReversalDate,
): Promise<RowOf<typeof payout>> {
  const here = sql`${creditPayouts.id} = ${one} AND ${creditPayouts.creditNoteId} = ${id}`;
  const { day, there, held } = reversalDay(ctx, asked, creditPayouts.payoutDate, here);
  return atomic(
    ctx,
    [
      there,
      ctx.db
        .update(creditPayouts)
        .set({ reversedAt: ctx.now })
        .where(sql`${here} AND ${creditPayouts.reversedAt} IS NULL`),
      refuseIfNone("entry_reversed"),
      ...held,
      ...reverseEntries(ctx, [{ sourceType: "credit_payout", ids: sql`${one}` }], day),
    ],
    payout.select(here),
    REVERSAL_REFUSALS,
  );
}
