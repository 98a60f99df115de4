import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { columnsBut } from "#core/sql/columns.ts";
import { insertRow } from "#core/sql/json-rows.ts";
import { takeNumber, takenNumber } from "#core/write/number-series.ts";
import { type PaidLesson, receivedFrom, type Seller, taxLesson } from "#features/invoices";
import { postDocument } from "#features/ledger";
import { sellLessons } from "#features/lessons";
import type { Mode } from "#features/payments";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { stateName } from "#shared/places/states.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { lessonReceipts } from "#tables/bookings";

const RECEIPT_SERIES = "lesson_receipt";

const insert = insertRow(
  lessonReceipts,
  columnsBut(lessonReceipts, ["id", "receiptNumber", "customerId", "refundNumber", "refundDate", "endedBy"]),
);

/** How money came: through a gateway, or by a mode that staff name. */
export type Way = { gateway: GatewayKind; gatewayPaymentId: string; isAdvance: boolean } | { mode: Mode };

/**
 * The statements that issue the receipt of money that came for a booking, and post it: of a company that is registered for
 * tax a receipt voucher, with its tax (CGST Act, s.31(3)(d)).
 */
export function issueReceipt(ctx: Ctx, lesson: PaidLesson, seller: Seller, way: Way): SQLWrapper[] {
  const { date, isTaxed, supply, line, totals, seller: sellerNow } = taxLesson(ctx, lesson, seller);
  const period = financialYearOf(date, ctx.company.country).short;
  const id = sql<number>`(SELECT ${lessonReceipts.id} FROM ${lessonReceipts} WHERE ${eq(lessonReceipts.operation, ctx.call.id)})`;
  return [
    takeNumber(RECEIPT_SERIES, period),
    insert(
      {
        operation: ctx.call.id,
        bookingId: lesson.bookingId,
        customer: JSON.stringify(receivedFrom(lesson.buyer)),
        seller: JSON.stringify(sellerNow),
        receiptDate: date,
        currency: lesson.currency,
        itemName: line.name,
        hsnSacCode: line.hsnSacCode,
        isVoucher: Number(isTaxed),
        placeOfSupplyCode: supply.place,
        placeOfSupplyName: supply.place === null ? null : stateName(supply.place),
        taxRate: line.taxRate,
        taxableAmount: totals.taxableTotal,
        cgstAmount: totals.cgstTotal,
        sgstAmount: totals.sgstTotal,
        igstAmount: totals.igstTotal,
        amount: totals.totalAmount,
        ...wayColumns(way),
        createdAt: ctx.now,
      },
      {
        receiptNumber: takenNumber(RECEIPT_SERIES, period, NUMBER_PREFIXES.lessonReceipt),
        customerId: sql`${lesson.customerId}`,
      },
    ),
    ...sellLessons(ctx, { receiptId: id }, [{ line: null, amount: totals.taxableTotal }], lesson.bookingId),
    ...postDocument(
      ctx,
      { voucherType: "receipt", sourceType: "lesson_receipt", sourceId: id },
      { currency: ctx.company.currency, date },
    ),
  ];
}

function wayColumns(way: Way) {
  if ("mode" in way)
    return { gateway: null, gatewayPaymentId: null, paymentModeId: way.mode.id, isAdvance: 0 };
  const { gateway, gatewayPaymentId, isAdvance } = way;
  return { gateway, gatewayPaymentId, paymentModeId: null, isAdvance: Number(isAdvance) };
}
