import { eq } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";

import { type PaymentRow, selectPayments } from "./snapshot.ts";
import { payments } from "./tables.ts";

/** One payment; a refunded one, or one of a voided invoice, is no longer there. */
export async function getPayment(ctx: CallCtx, { id }: RecordParams): Promise<PaymentRow> {
  return readOne(ctx, selectPayments(eq(payments.id, id)));
}
