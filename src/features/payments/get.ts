import { eq } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { Problem } from "#shared/problem.ts";
import type { PaymentParams } from "./schema.ts";
import { type PaymentRow, selectPayments } from "./snapshot.ts";
import { payments } from "./tables.ts";

/** One payment; a refunded one, or one of a voided invoice, is no longer there. */
export async function getPayment(ctx: Ctx, { id }: PaymentParams): Promise<PaymentRow> {
  const [rows] = await read(ctx, [jsonQuery(ctx, selectPayments(eq(payments.id, id)))]);
  const [payment] = parseRows(rows);
  if (payment === undefined) throw new Problem("not_found");
  return payment;
}
