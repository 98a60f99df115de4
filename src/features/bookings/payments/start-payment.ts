import type { Ctx, OutsideCtx, ReadCtx } from "#core/context.ts";
import { addToAnswer, forgetCall } from "#core/write/change-stored-answer.ts";
import { type AccountRow, openIntent, type PaymentRequest } from "#features/gateway-payments";
import { fieldProblem, Problem } from "#shared/problem.ts";
import type { PayableRow } from "./snapshot.ts";

/** Where the payment page sends the payer. */
export type Return = { return_url?: string | null | undefined; cancel_url?: string | null | undefined };
/** Who pays, by what is known of them. */
export type Payer = { name: string; email: string | null; phone: string | null };
type ToPay = Pick<PayableRow, "id" | "booking_number" | "total_amount" | "currency">;

/** Throws 422 where a page with a publishable key wants the payer sent to an origin that the key does not list. */
export function requireReturn(ctx: ReadCtx & OutsideCtx, addresses: Return): void {
  for (const field of ["return_url", "cancel_url"] as const) {
    const address = addresses[field];
    if (address == null || ctx.client.allowsOrigin(new URL(address).origin)) continue;
    throw fieldProblem(field, "origin_not_allowed", "must be of an origin that the key allows");
  }
}

/**
 * Opens at the gateway the payment that this call recorded, and adds to the row what the payer needs; a retry with the
 * same key gets the same answer. Throws 400 `payment_gateway_error`; where `forget` says so, the call is then
 * forgotten.
 */
export async function openPayment(
  ctx: Ctx,
  account: AccountRow,
  row: PayableRow,
  request: PaymentRequest,
  { forget }: { forget: boolean },
): Promise<PayableRow> {
  const isKeyed = ctx.call.fingerprint !== null;
  const payment = await openIntent(ctx, account, row.intent_id ?? 0, request, {
    failed: forget ? [forgetCall(ctx)] : [],
    opened: (opened) => (isKeyed ? [addToAnswer(ctx, "payment", opened)] : []),
  });
  return { ...row, payment };
}

/** What a gateway is asked to take for a booking. */
export function paymentRequest(
  { id, booking_number: number, total_amount: amountMinor, currency }: ToPay,
  customer: PaymentRequest["customer"],
  { return_url, cancel_url }: Return,
): PaymentRequest {
  return {
    ...{ kind: "booking", number, amountMinor, currency, customer, description: `Booking ${number}` },
    returnUrl: nameBooking(return_url, id),
    cancelUrl: nameBooking(cancel_url, id),
  };
}

// A page that books and starts the payment in one call does not know the id yet.
function nameBooking(address: string | null | undefined, id: string): string {
  return (address ?? "").replace(/(?:\{|%7B)booking_id(?:\}|%7D)/gi, id);
}

/** Opens the recorded payment of a booking. The booking stays when that fails: its payment can be started again. */
export function tryToOpenPayment(
  ctx: Ctx,
  account: AccountRow,
  row: PayableRow,
  payer: Payer,
  addresses: Return,
): Promise<PayableRow> {
  const request = paymentRequest(row, payer, addresses);
  return openPayment(ctx, account, row, request, { forget: false }).catch((error) => {
    if (error instanceof Problem && error.code === "payment_gateway_error") return row;
    throw error;
  });
}
