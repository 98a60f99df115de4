import { eq, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { dueProblem } from "#features/invoices";
import type { RecordParams } from "#shared/fields/ids.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { creditApplications, creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import { freeCredit } from "./free-credit.ts";
import { type CreditNoteRow, selectCreditNotes } from "./record.ts";
import type { CreditApply } from "./schema.ts";

/** Takes unused credit of a note off the amount due of another invoice of its customer. It needs no entry: both are in one account. */
export async function applyCreditNote(
  ctx: WriteCtx,
  { id }: RecordParams,
  { invoice_id: invoiceId, amount }: CreditApply,
): Promise<CreditNoteRow> {
  const own = ctx.db
    .select({ note: creditNotes, currency: invoices.currency })
    .from(creditNotes)
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .where(eq(creditNotes.id, id));
  const [[found], [invoice]] = await read(ctx, [
    own,
    ctx.db.select().from(invoices).where(eq(invoices.id, invoiceId)),
  ]);
  if (found === undefined) throw new Problem("not_found");
  if (found.note.status === "voided") throw new Problem("credit_note_voided");
  if (invoice?.customerId !== found.note.customerId || invoice.currency !== found.currency)
    throw fieldProblem(
      "invoice_id",
      "not_found",
      "names no invoice of the customer and currency of the note",
    );
  if (invoice.status === "voided") throw new Problem("invoice_voided");
  return atomic(
    ctx,
    [ctx.db.insert(creditApplications).values({ creditNoteId: id, invoiceId, amount, createdAt: ctx.now })],
    selectCreditNotes(sql`${creditNotes.id} = ${id}`),
    {
      amount_exceeds_due: () => exceedsDue(ctx, invoiceId),
      credit_exhausted: () => exhausted(ctx, id),
    },
  );
}

/** The 422 that says how much of an invoice is due now. */
async function exceedsDue(ctx: WriteCtx, id: number): Promise<Problem> {
  const select = ctx.db.select({ due: invoices.amountDue }).from(invoices).where(eq(invoices.id, id));
  const [[invoice]] = await ctx.database.read([select]);
  return dueProblem(invoice?.due ?? 0);
}

/** The 422 that says how much of a note is left now. */
export async function exhausted(ctx: WriteCtx, id: number): Promise<Problem> {
  const select = ctx.db.select({ left: freeCredit }).from(creditNotes).where(eq(creditNotes.id, id));
  const [[note]] = await ctx.database.read([select]);
  const members = { unapplied_amount: moneyToWire(note?.left ?? 0) };
  return fieldProblem("amount", "too_big", "is above what is left of the note", "credit_exhausted", {
    members,
  });
}
