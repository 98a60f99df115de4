import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { idBelow, type Page } from "#shared/page.ts";
import type { PaymentQuery } from "./schema.ts";
import { type PaymentRow, selectPayments } from "./snapshot.ts";
import { payments } from "./tables.ts";

/** Payments that were not taken back, newest first. */
export async function listPayments(
  ctx: Ctx,
  _params: unknown,
  { invoice_id: invoiceId, customer_id: customerId, page }: PaymentQuery & { page: Page },
): Promise<PaymentRow[]> {
  const conditions = [sql`${payments.id} < ${idBelow(page)}`];
  if (invoiceId !== undefined) conditions.push(sql`${payments.invoiceId} = ${invoiceId}`);
  if (customerId !== undefined) conditions.push(sql`${payments.customerId} = ${customerId}`);
  const tail = sql`${sql.join(conditions, sql` AND `)} ORDER BY ${payments.id} DESC LIMIT ${page.take}`;
  const [rows] = await read(ctx, [jsonQuery(ctx, selectPayments(tail))]);
  return parseRows(rows);
}
