import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteInsertValue } from "drizzle-orm/sqlite-core";
import type { CallCtx } from "#platform/context.ts";
import { takeNumber, takenNumber } from "#platform/write/number-series.ts";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { payments } from "./tables.ts";

const SERIES = "payment";

type NewPayment = Omit<
  SQLiteInsertValue<typeof payments>,
  "operation" | "paymentNumber" | "paymentDate" | "createdAt" | "updatedAt"
> & { paymentDate: string };

/** The statements that insert a payment with the next number of its financial year. */
export function insertPayment(ctx: CallCtx, payment: NewPayment): SQLWrapper[] {
  const period = financialYearOf(payment.paymentDate).short;
  return [
    takeNumber(SERIES, period),
    ctx.db.insert(payments).values({
      ...payment,
      operation: ctx.operation.id,
      paymentNumber: takenNumber(SERIES, period, NUMBER_PREFIXES.payment),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    }),
  ];
}

/** Which payment this call inserted, as a condition. */
export function insertedBy(ctx: CallCtx) {
  return eq(payments.operation, ctx.operation.id);
}

/** The payment that this call inserted, as the source of its journal entry. */
export function entrySourceOf(ctx: CallCtx) {
  const sourceId = sql<number>`(SELECT ${payments.id} FROM ${payments} WHERE ${insertedBy(ctx)})`;
  return { voucherType: "receipt", sourceType: "payment", sourceId };
}
