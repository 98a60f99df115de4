import { and, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx, Ctx, WriteCtx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { lastNumber, numberText, takeNumber } from "#core/write/number-series.ts";
import { read } from "#core/write/replay.ts";
import { documentsEnded, giveBackCaptures, hasSettled } from "#features/captures";
import {
  creditNoteQueries,
  foundFor,
  insertCreditNote,
  type NewCreditNote,
  planCreditNote,
} from "#features/credit-notes";
import { capturesOf } from "#features/gateway-payments";
import { voidInvoices } from "#features/invoices";
import { reverseEntries } from "#features/ledger";
import { removedEarnings } from "#features/lessons";
import { takeBackPayments } from "#features/payments";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { lessonReceipts } from "#tables/bookings";
import { creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";
import { payments } from "#tables/payments";

const SERIES = "lesson_refund";

/**
 * The statements after those that mark a booking's money as paid back outside this service. What a gateway took leaves by
 * the payment mode, if one is named; other money leaves by the mode that took it.
 */
export async function giveBack(ctx: Ctx, bookingId: string, mode: number | null): Promise<SQLWrapper[]> {
  const ids = invoicesOf(bookingId);
  const note = noteInPlaceOfVoid(ctx, await read(ctx, creditNoteQueries(sql<number>`(${ids})`)));
  const ended =
    note === null
      ? [voidInvoices(ctx, ids)]
      : [...takeBackPayments(ctx, sql`${payments.invoiceId} IN (${ids})`), ...insertCreditNote(ctx, note)];
  return [
    ...withoutDocuments(ctx, bookingId, ended),
    ...giveBackCaptures(ctx, capturesOf("booking", bookingId), mode),
    ...(mode === null ? [] : [refuseWhen(sql`NOT ${hasSettled(ctx)}`, "mode_not_accepted")]),
  ];
}

/**
 * The credit note of today over an invoice of a day that is closed; null where the invoice is to be voided. That is refused
 * where a part was credited before, and where its tax may not be taken back any more: a note gives back less than was paid.
 */
function noteInPlaceOfVoid(ctx: Ctx, noted: Parameters<typeof foundFor>[0]): NewCreditNote | null {
  const [[invoice]] = noted;
  if (invoice?.isClosed !== 1 || invoice.taxableCredited > 0) return null;
  const note = planCreditNote(ctx, foundFor(noted), { reason: "cancellation", restock: false }, "item");
  return note.withTax ? note : null;
}

/** What it is refused with that money of a booking was given back. */
export const GIVE_BACK_REFUSALS = {
  credit_exceeds_invoice: () => new Problem("has_credit_notes"),
  mode_not_accepted: () =>
    fieldProblem(
      "payment_mode_id",
      "not_accepted",
      "is taken where a gateway still has money of the booking",
    ),
  "advances.credit_account_id": () => fieldProblem("payment_mode_id", "not_found", "names no payment mode"),
};

/** The statements that end the documents of a booking: what gateways took for it waits in Customer Advances again. */
export function endDocuments(ctx: WriteCtx, bookingId: string): SQLWrapper[] {
  return [
    ...withoutDocuments(ctx, bookingId, [voidInvoices(ctx, invoicesOf(bookingId))]),
    ...documentsEnded(ctx, capturesOf("booking", bookingId)),
  ];
}

/**
 * The statements that end the invoice of a booking, and its receipt by a refund voucher (CGST Act, s.31(3)(e)). Their
 * entries are reversed today, and with them what the lessons had earned.
 */
function withoutDocuments(ctx: WriteCtx, bookingId: string, ended: readonly SQLWrapper[]): SQLWrapper[] {
  const period = financialYearOf(companyToday(ctx), ctx.company.country).short;
  const { isVoucher, refundNumber } = lessonReceipts;
  const isOwed = liveReceiptOf(bookingId);
  return [
    ...ended,
    takeNumber(
      SERIES,
      period,
      sql`EXISTS (SELECT 1 FROM ${lessonReceipts} WHERE ${isOwed} AND ${isVoucher} = 1)`,
    ),
    ctx.db
      .update(lessonReceipts)
      .set({
        endedBy: ctx.call.id,
        refundNumber: sql`iif(${isVoucher} = 1, ${numberText(NUMBER_PREFIXES.lessonRefund, period, lastNumber(SERIES, period))}, ${refundNumber})`,
        refundDate: sql`iif(${isVoucher} = 1, ${companyToday(ctx)}, NULL)`,
      })
      .where(isOwed),
    ...reverseEntries(ctx, [
      { sourceType: "invoice", ids: invoicesEndedBy(ctx) },
      {
        sourceType: "payment",
        ids: sql`SELECT ${payments.id} FROM ${payments} WHERE ${payments.removedBy} = ${ctx.call.id}`,
      },
      endedReceipts(ctx),
      removedEarnings(ctx),
    ]),
  ];
}

/** The receipt of a booking that stands, as a condition. */
function liveReceiptOf(bookingId: string): SQL {
  return and(eq(lessonReceipts.bookingId, bookingId), isNull(lessonReceipts.endedBy)) ?? sql`false`;
}

/** The receipts that this call ended, as the documents whose entries are to be reversed. */
export function endedReceipts(ctx: CallCtx) {
  return {
    sourceType: "lesson_receipt",
    ids: sql`SELECT ${lessonReceipts.id} FROM ${lessonReceipts} WHERE ${lessonReceipts.endedBy} = ${ctx.call.id}`,
  } as const;
}

/** The invoice of a booking that stands, unless notes gave all of it back, and nothing of them is left. */
function invoicesOf(bookingId: string): SQL {
  return sql`SELECT ${invoices.id} FROM ${lessonSales} JOIN ${invoices} ON ${invoices.id} = ${lessonSales.invoiceId}
    WHERE ${lessonSales.bookingId} = ${bookingId} AND ${lessonSales.endedBy} IS NULL
      AND (${invoices.taxableCredited} < ${invoices.taxableTotal} OR EXISTS (SELECT 1 FROM ${creditNotes}
        WHERE ${creditNotes.invoiceId} = ${invoices.id} AND ${creditNotes.unappliedAmount} > 0))`;
}

function invoicesEndedBy(ctx: CallCtx): SQL {
  return sql`SELECT ${lessonSales.invoiceId} FROM ${lessonSales} WHERE ${lessonSales.endedBy} = ${ctx.call.id}`;
}
