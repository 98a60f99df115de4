import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { CallCtx, OutsideCtx } from "#core/context.ts";
import { checkoutScript, hasGateway, intentOf, type Opened } from "#features/gateway-payments";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { isPlainAddress } from "#shared/network/return-address.ts";
import { NextAction, nextActionOf, PaymentData, paymentDataOf } from "#shared/payments/next-action.ts";
import { bookings } from "#tables/bookings";
import { type BookedRow, selectBookings } from "../bookings/snapshot.ts";

/** Where a payment page sends the payer: https, or http on this machine. */
export const returnAddress = z
  .string()
  .max(500)
  .refine(isSecure, { error: "must be an https address" })
  .refine(isPlainAddress, { error: "must have no control character, user or password" })
  .meta({ format: "uri" });

function isSecure(text: string): boolean {
  const address = URL.parse(text);
  if (address?.protocol !== "http:") return address?.protocol === "https:";
  return address.hostname === "localhost" || address.hostname === "127.0.0.1";
}

export const BookingPay = z.object({
  return_url: returnAddress.describe("Where the payment page sends the visitor back to."),
  cancel_url: returnAddress.describe("Where the visitor goes who does not pay."),
});
export const BookingPayment = z
  .object({
    required: z.boolean().describe("Whether it must be paid online."),
    amount: moneyOnWire,
    currency: z.string(),
    gateway: z.string().nullable().describe("Null where none had a part."),
    payment_url: z.string().nullable().meta({ description: "Send the visitor to this address to pay." }),
    payment_data: PaymentData.nullable().meta({
      description: "The data for the gateway's own script, instead of `payment_url`.",
    }),
    next_action: NextAction,
    status: z.enum(["pending", "paid", "not_required"]),
    online_payment_enabled: z.boolean().describe("Whether the school takes payments online."),
  })
  .meta({ id: "LessonPayment" });

export type BookingPay = z.infer<typeof BookingPay>;

/** A booking with the payment that its call recorded and, once that is open, what its payer needs. */
export type PayableRow = BookedRow & {
  online_payment_enabled: number;
  public_token: string;
  intent_id: number | null;
  payment?: Pick<Opened, "gateway" | "paymentUrl" | "paymentData">;
};

/** The SELECT of a booking that is to be paid, by a payment that is known already; `where` goes on after WHERE. */
export function selectPayable(ctx: CallCtx, where: SQL, payment?: Opened): SQL<PayableRow> {
  const known = payment === undefined ? sql`` : sql`, '$.payment', json(${JSON.stringify(payment)})`;
  return sql`SELECT json_set(snapshot, '$.online_payment_enabled', ${hasGateway(ctx.company.currency)},
    '$.intent_id', ${intentOf(ctx)},
    '$.public_token', (SELECT ${bookings.publicToken} FROM ${bookings} WHERE ${bookings.id} = snapshot ->> '$.id')${known}) AS snapshot FROM (${selectBookings({ now: ctx.now, where })})`;
}

export function renderPayment(row: PayableRow, ctx: Pick<OutsideCtx, "services">) {
  const { payment } = row;
  const free = row.total_amount === 0;
  const paidOrPending = row.payment_status === "paid" ? ("paid" as const) : ("pending" as const);
  return {
    required: !free && row.payment_status === "unpaid",
    amount: moneyToWire(row.total_amount),
    currency: row.currency,
    gateway: payment?.gateway ?? null,
    payment_url: payment?.paymentUrl ?? null,
    payment_data: payment === undefined ? null : paymentDataOf(payment),
    next_action: payment === undefined ? null : nextActionOf(payment, checkoutScript(ctx)),
    status: free ? ("not_required" as const) : paidOrPending,
    online_payment_enabled: row.online_payment_enabled === 1,
  };
}
