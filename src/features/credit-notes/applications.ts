import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { amount, described, from, idText, instant, nullable } from "#core/sql/fields.ts";
import { createdIn, readRange } from "#core/sql/narrowed.ts";
import { listNewestOf } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { idReference, recordId } from "#shared/fields/ids.ts";
import { createdFilters } from "#shared/fields/list-filters.ts";
import type { Listed, Page } from "#shared/page.ts";
import { Problem } from "#shared/problem.ts";
import { creditApplications, creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";

/** What of a credit note took off the amount due of an invoice. */
export const application = record(
  creditApplications,
  {
    id: idText,
    credit_note_id: idText,
    credit_note_number: from(creditNotes.creditNoteNumber, z.string()),
    invoice_id: idText,
    invoice_number: from(invoices.invoiceNumber, z.string()),
    amount: described(amount, "What it took off the amount due."),
    currency: from(invoices.currency, z.string()),
    removed_at: described(nullable(instant), "When it was taken back; null while it stands."),
    created_at: instant,
  },
  "CreditApplication",
  () => sql`${creditApplications} CROSS JOIN ${creditNotes} ON ${creditNotes.id} = ${creditApplications.creditNoteId}
    CROSS JOIN ${invoices} ON ${invoices.id} = ${creditApplications.invoiceId}`,
);
type ApplicationRow = RowOf<typeof application>;

export const ApplicationParams = z.object({ id: recordId, application_id: recordId });
export const ApplicationQuery = z.object({ invoice_id: idReference.optional(), ...createdFilters });
type ApplicationQuery = z.infer<typeof ApplicationQuery>;

const { id: applicationId, creditNoteId, invoiceId, createdAt, removedAt } = creditApplications;

/** What was applied of all credit notes, newest first. */
export function listAllApplications(
  ctx: CallCtx,
  _params: unknown,
  { page, invoice_id: invoice, ...query }: ApplicationQuery & { page: Page },
): Promise<Listed<ApplicationRow>> {
  const ofInvoice = invoice === undefined ? undefined : eq(invoiceId, invoice);
  return readRange(ctx, page, application, createdIn(ctx, createdAt, query), ofInvoice);
}

/** What was applied of a credit note. */
export const listApplications = listNewestOf(creditNotes.id, application, creditNoteId);

/** Takes an application to another invoice back: triggers make the credit free, and the invoice due, again. */
export function reverseApplication(
  ctx: WriteCtx,
  { id, application_id: one }: z.output<typeof ApplicationParams>,
): Promise<ApplicationRow> {
  const here = sql`${applicationId} = ${one} AND ${creditNoteId} = ${id}`;
  const isOwn = sql`${invoiceId} = (SELECT ${creditNotes.invoiceId} FROM ${creditNotes} WHERE ${creditNotes.id} = ${id})`;
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${creditApplications} WHERE ${here})`, "not_found"),
      refuseWhen(
        sql`EXISTS (SELECT 1 FROM ${creditApplications} WHERE ${here} AND ${isOwn})`,
        "invalid_status",
      ),
      ctx.db
        .update(creditApplications)
        .set({ removedAt: ctx.now })
        .where(and(here, isNull(removedAt))),
      refuseIfNone("entry_reversed"),
    ],
    application.select(here),
    {
      invalid_status: () =>
        new Problem("invalid_status", {
          message: "A note takes off what is due of its own invoice first: void the note instead",
        }),
    },
  );
}
