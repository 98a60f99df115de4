import { eq, gte, lte, type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { createdIn, type Placed, readNarrowed } from "#core/sql/narrowed.ts";
import { listNewestOf, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import { creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import { type CreditNoteRow, selectCreditNotes } from "./record.ts";
import type { CreditNoteQuery } from "./schema.ts";

const list = { resource: "credit_note", table: creditNotes, select: selectCreditNotes } as const;

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
    list,
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

/** The credit notes of an invoice. */
export const listCreditNotesOfInvoice = listNewestOf(invoices.id, list, creditNotes.invoiceId);

export function getCreditNote(ctx: CallCtx, { id }: RecordParams): Promise<CreditNoteRow> {
  return readOne(ctx, selectCreditNotes(eq(creditNotes.id, id)));
}
