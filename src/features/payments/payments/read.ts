import { eq } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { datedIn, equalTo, type Placed, readNarrowed } from "#core/sql/narrowed.ts";
import { readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import { payments } from "#tables/payments";
import { type PaymentRow, selectPayments } from "./record.ts";
import type { PaymentQuery } from "./schema.ts";

/** Payments that were not taken back: newest first, or by the order or the dates that the query names. */
export async function listPayments(
  ctx: CallCtx,
  _params: unknown,
  query: PaymentQuery & { page: Page },
): Promise<Listed<Placed<PaymentRow>>> {
  const { number, payment_date_from: from, payment_date_to: to } = query;
  return readNarrowed(
    ctx,
    { resource: "payment", table: payments, select: selectPayments },
    query,
    [
      datedIn(
        { column: payments.paymentDate, second: payments.createdAt, name: "payment_date" },
        { from, to },
      ),
    ],
    equalTo(payments, query, "invoice_id", "customer_id", "payment_mode_id"),
    number === undefined ? undefined : eq(payments.paymentNumber, number),
  );
}

/** One payment; a refunded one, or one of a voided invoice, is no longer there. */
export async function getPayment(ctx: CallCtx, { id }: RecordParams): Promise<PaymentRow> {
  return readOne(ctx, selectPayments(eq(payments.id, id)));
}
