import { eq, gte, lte, type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { createdIn, type Placed, readNarrowed } from "#core/sql/narrowed.ts";
import { readListOf, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import { type CreditNoteRow, selectCreditNotes } from "./record.ts";
import type { CreditNoteQuery } from "./schema.ts";

/** Credit notes, voided ones too: newest first, or by the order that the query names. */
export function listCreditNotes(
  ctx: CallCtx,
  _params: unknown,
  query: CreditNoteQuery & { page: Page },
): Promise<Listed<Placed<CreditNoteRow>>> {
  const { customer_id: customerId, invoice_id: invoiceId, from, to, has_credit: hasCredit } = query;
  const when = <T>(value: T | undefined, condition: (value: T) => SQL) =>
    value === undefined ? undefined : condition(value);
  return readNarrowed(
    ctx,
    { resource: "credit_note", table: creditNotes, select: selectCreditNotes },
    query,
    [createdIn(ctx, creditNotes.createdAt, query)],
    when(customerId, (id) => eq(creditNotes.customerId, id)),
    when(invoiceId, (id) => eq(creditNotes.invoiceId, id)),
    when(from, (date) => gte(creditNotes.noteDate, date)),
    when(to, (date) => lte(creditNotes.noteDate, date)),
    when(hasCredit, (has) =>
      has ? sql`${creditNotes.unappliedAmount} > 0` : sql`${creditNotes.unappliedAmount} = 0`,
    ),
  );
}

/** The credit notes of an invoice, newest first; 404 for an unknown invoice. */
export function listCreditNotesOfInvoice(
  ctx: CallCtx,
  { id }: RecordParams,
  { page }: { page: Page },
): Promise<Listed<CreditNoteRow>> {
  const owner = sql`SELECT 1 FROM ${invoices} WHERE ${invoices.id} = ${id}`;
  const which = sql`${creditNotes.invoiceId} = ${id} AND ${creditNotes.id} < ${idBelow(page)}`;
  return readListOf(
    ctx,
    owner,
    page,
    selectCreditNotes(sql`${which} ORDER BY ${creditNotes.id} DESC LIMIT ${page.take}`),
  );
}

export function getCreditNote(ctx: CallCtx, { id }: RecordParams): Promise<CreditNoteRow> {
  return readOne(ctx, selectCreditNotes(eq(creditNotes.id, id)));
}
