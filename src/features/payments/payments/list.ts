import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readList } from "#core/sql/read-records.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import type { PaymentQuery } from "./schema.ts";
import { type PaymentRow, selectPayments } from "./snapshot.ts";
import { payments } from "./tables.ts";

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
