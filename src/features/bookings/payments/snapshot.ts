import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { hasGateway, intentOf, type Opened } from "#features/gateway-payments";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { type BookedRow, selectBookings } from "../bookings/snapshot.ts";
import { bookings } from "../bookings/tables.ts";

/** A booking with the payment that its call recorded and, once that is open, what its payer needs. */
export type PayableRow = BookedRow & {
  online_payment_enabled: number;
  public_token: string;
  intent_id: number | null;
  payment?: Pick<Opened, "gateway" | "paymentUrl" | "paymentData">;
};

/** The SELECT of a booking that is to be paid; `where` goes on after WHERE. */
export function selectPayable(ctx: CallCtx, where: SQL): SQL<PayableRow> {
  return sql`SELECT json_set(snapshot, '$.online_payment_enabled', ${hasGateway(ctx.company.currency)},
    '$.intent_id', ${intentOf(ctx)},
    '$.public_token', (SELECT ${bookings.publicToken} FROM ${bookings} WHERE ${bookings.id} = snapshot ->> '$.id')) AS snapshot FROM (${selectBookings({ now: ctx.now, where })})`;
}

export function renderPayment(row: PayableRow) {
  const { payment } = row;
  const free = row.total_amount === 0;
  const paidOrPending = row.payment_status === "paid" ? ("paid" as const) : ("pending" as const);
  return {
    required: !free && row.payment_status === "unpaid",
    amount: moneyToWire(row.total_amount),
    currency: row.currency,
    gateway: payment?.gateway ?? null,
    payment_url: payment?.paymentUrl ?? null,
    payment_data: payment?.paymentData ?? null,
    status: free ? ("not_required" as const) : paidOrPending,
    online_payment_enabled: row.online_payment_enabled === 1,
  };
}
