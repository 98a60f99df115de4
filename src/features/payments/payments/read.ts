import { eq, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { payments } from "#tables/payments";
import { type PaymentRow, selectPayments } from "./record.ts";
import type { PaymentQuery } from "./schema.ts";

/** Payments that were not taken back, newest first. */
export async function listPayments(
  ctx: CallCtx,
  _params: unknown,
  { invoice_id: invoiceId, customer_id: customerId, page }: PaymentQuery & { page: Page },
): Promise<Listed<PaymentRow>> {
  const conditions = [sql`${payments.id} < ${idBelow(page)}`];
  if (invoiceId !== undefined) conditions.push(sql`${payments.invoiceId} = ${invoiceId}`);
  if (customerId !== undefined) conditions.push(sql`${payments.customerId} = ${customerId}`);
  const tail = sql`${sql.join(conditions, sql` AND `)} ORDER BY ${payments.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectPayments(tail));
}

/** One payment; a refunded one, or one of a voided invoice, is no longer there. */
export async function getPayment(ctx: CallCtx, { id }: RecordParams): Promise<PaymentRow> {
  return readOne(ctx, selectPayments(eq(payments.id, id)));
}
