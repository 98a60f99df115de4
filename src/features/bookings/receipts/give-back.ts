import { and, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { lastNumber, numberText, takeNumber } from "#core/write/number-series.ts";
import { documentsEnded, giveBackCaptures, hasSettled } from "#features/captures";
import { capturesOf } from "#features/gateway-payments";
import { voidInvoices } from "#features/invoices";
import { reverseEntries } from "#features/ledger";
import { removedEarnings } from "#features/lessons";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { fieldProblem } from "#shared/problem.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { lessonSales } from "#tables/lessons";
import { payments } from "#tables/payments";
import { lessonReceipts } from "./tables.ts";

const SERIES = "lesson_refund";

/**
 * The statements after those that mark a booking's money as paid back outside this service. What a gateway took leaves by
 * the payment mode, if one is named; other money leaves by the mode that took it.
 */
export function giveBack(ctx: WriteCtx, bookingId: string, mode: number | null): SQLWrapper[] {
  return [
    ...withoutDocuments(ctx, bookingId),
    ...giveBackCaptures(ctx, capturesOf("booking", bookingId), mode),
    ...(mode === null ? [] : [refuseWhen(sql`NOT ${hasSettled(ctx)}`, "mode_not_accepted")]),
  ];
}

/** What a payment mode is refused with that gives back money of a booking. */
export const MODE_REFUSALS = {
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
  return [...withoutDocuments(ctx, bookingId), ...documentsEnded(ctx, capturesOf("booking", bookingId))];
}

/**
 * Voids the invoice of a booking, or ends its receipt by a refund voucher (CGST Act, s.31(3)(e)). Their entries are
 * reversed today, and with them what the lessons had earned.
 */
function withoutDocuments(ctx: WriteCtx, bookingId: string): SQLWrapper[] {
  const period = financialYearOf(companyToday(ctx), ctx.company.country).short;
  const { isVoucher, refundNumber } = lessonReceipts;
  const isOwed = liveReceiptOf(bookingId);
  return [
    voidInvoices(ctx, invoicesOf(bookingId)),
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

function invoicesOf(bookingId: string): SQL {
  return sql`SELECT ${lessonSales.invoiceId} FROM ${lessonSales}
    WHERE ${lessonSales.bookingId} = ${bookingId} AND ${lessonSales.endedBy} IS NULL`;
}

function invoicesEndedBy(ctx: CallCtx): SQL {
  return sql`SELECT ${lessonSales.invoiceId} FROM ${lessonSales} WHERE ${lessonSales.endedBy} = ${ctx.call.id}`;
}
