import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { columnsBut } from "#core/sql/columns.ts";
import { insertRow } from "#core/sql/json-rows.ts";
import { takeNumber, takenNumber } from "#core/write/number-series.ts";
import { postDocument, type postStrictly } from "#features/ledger";
import { NUMBER_PREFIXES } from "#shared/payments/document-numbers.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { payments } from "#tables/payments";

const SERIES = "payment";

const insert = insertRow(
  payments,
  columnsBut(payments, [
    "id",
    "paymentNumber",
    "invoiceId",
    "customerId",
    "paymentModeId",
    "referenceNumber",
    "deletedAt",
    "removedBy",
  ]),
);
type Columns = Parameters<typeof insert>[0];

/** A payment to insert; money in minor units. */
type NewPayment = Partial<Columns> &
  Pick<Columns, "amount" | "currency" | "paymentDate"> & {
    referenceNumber: string | SQL<string> | null;
    invoiceId: SQL<number> | number;
    customerId: SQL<number> | number;
    paymentModeId: SQL;
  };

/** The statements that insert a payment with the next number of its financial year, and post it by `post`. */
export function insertPayment(
  ctx: CallCtx,
  { invoiceId, customerId, paymentModeId, referenceNumber, ...payment }: NewPayment,
  { ordinal = 0, post }: { ordinal?: number; post?: typeof postStrictly },
): SQL[] {
  const { currency, paymentDate: date } = payment;
  const sourceId = sql<number>`(SELECT ${payments.id} FROM ${payments} WHERE ${insertedBy(ctx)})`;
  const source = { voucherType: "receipt", sourceType: "payment", sourceId } as const;
  const period = financialYearOf(date, ctx.company.country).short;
  return [
    takeNumber(SERIES, period),
    insert(
      {
        ...{ tdsAmount: 0, isAdvance: 0, source: "api" },
        ...payment,
        operation: ctx.call.id,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      },
      {
        paymentNumber: takenNumber(SERIES, period, NUMBER_PREFIXES.payment),
        invoiceId: sql`${invoiceId}`,
        customerId: sql`${customerId}`,
        paymentModeId,
        referenceNumber: sql`${referenceNumber}`,
      },
    ),
    ...postDocument(ctx, source, { currency, date, ordinal }, post),
  ];
}

/** Which payment this call inserted, as a condition. */
export function insertedBy(ctx: CallCtx) {
  return eq(payments.operation, ctx.call.id);
}
