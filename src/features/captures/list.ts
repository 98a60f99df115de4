import { and, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { readList } from "#core/sql/read-records.ts";
import type { RowOf } from "#core/sql/record.ts";
import { idReference } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { gatewayCaptures } from "#tables/captures";
import { ofBooking, ofInvoice, ofOrder } from "./of-record.ts";
import { capture } from "./record.ts";

const CaptureQuery = z.object({
  state: z.enum(gatewayCaptures.state.enumValues).optional(),
  customer_id: idReference.optional(),
  order_id: idReference.optional(),
  booking_id: z.string().max(40).optional(),
  invoice_id: idReference
    .optional()
    .meta({ description: "Captures that this invoice was paid with, or asked for." }),
});
type CaptureQuery = z.infer<typeof CaptureQuery>;

type CaptureRow = RowOf<typeof capture>;

export const captureRoutes = new Router("Ledger", "/captures").list({ listCaptures }, "/", {
  summary: "List what gateways took",
  description:
    "Every payment that a gateway reports, whatever it is for, newest first. What is neither invoiced nor settled waits in Customer Advances.",
  query: CaptureQuery,
  record: capture,
});

/** What gateways took, newest first. */
async function listCaptures(
  ctx: CallCtx,
  _params: unknown,
  { page, ...query }: CaptureQuery & { page: Page },
): Promise<Listed<CaptureRow>> {
  const below = sql`${gatewayCaptures.id} < ${idBelow(page)}`;
  const tail = sql`${and(below, ...filtersOf(query))} ORDER BY ${gatewayCaptures.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, capture.select(tail));
}

function filtersOf({ state, customer_id: customer, ...of }: CaptureQuery): (SQL | undefined)[] {
  const { invoicedAmount, settledAmount, withdrawnAmount, lentAmount, amount: total } = gatewayCaptures;
  // Spelled as the partial index of advances is.
  const waits = sql`${invoicedAmount} + ${settledAmount} + ${withdrawnAmount} + ${lentAmount} < ${total}`;
  const { order_id: order, booking_id: booking, invoice_id: invoice } = of;
  return [
    state === "advance" ? waits : state && eq(gatewayCaptures.state, state),
    customer === undefined ? undefined : eq(gatewayCaptures.customerId, customer),
    order === undefined ? undefined : ofOrder(order),
    booking === undefined ? undefined : ofBooking(booking),
    invoice === undefined ? undefined : ofInvoice(invoice),
  ];
}
