import { sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { atomic, refuseWhen } from "#core/write/atomic.ts";
import { documentIds } from "#core/write/create-or-change.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { creditNotes } from "#tables/credit-notes";
import { creditNoteQueries, foundFor } from "./find-invoice.ts";
import { insertCreditNote, issuedBy } from "./issue.ts";
import { creditNoteRefusals, planCreditNote } from "./plan.ts";
import { type IssuedRow, selectIssued } from "./record.ts";
import type { CreditNoteCreate } from "./schema.ts";

/** What callers give ids of their own to. The same create again answers with the note that stands. */
export const creditNoteIds = documentIds("credit_note", creditNotes, (_ctx, which) => selectIssued(which));

/** Credits lines of an invoice by quantity or amount, an amount in all, or all that is left; the database judges what is left. */
export async function createCreditNote(
  ctx: Ctx,
  { id }: RecordParams,
  { items, gross_amount: amount, invoice_item_id: line, ...body }: CreditNoteCreate,
): Promise<IssuedRow> {
  const found = foundFor(await read(ctx, creditNoteQueries(id)));
  const asked = items?.map(({ invoice_item_id, quantity, taxable_amount: taxable }) => ({
    ...{ id: invoice_item_id, quantity, taxable },
  }));
  const note = planCreditNote(ctx, found, { ...body, items: asked, amount, line }, "invoice_item_id");
  const { total } = note;
  const isLess = sql`EXISTS (SELECT 1 FROM ${creditNotes} WHERE ${issuedBy(ctx)} AND ${creditNotes.totalAmount} <> ${total})`;
  return atomic(
    ctx,
    [
      ...insertCreditNote(ctx, note),
      ...(total === null ? [] : [refuseWhen(isLess, "credit_exceeds_invoice")]),
    ],
    selectIssued(issuedBy(ctx)),
    creditNoteRefusals(ctx, note),
  );
}
