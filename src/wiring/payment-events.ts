import type { Ctx } from "#core/context.ts";
import { bookingEffects } from "#features/bookings";
import { type EffectsByKind, receiveEvent, reconcile } from "#features/gateway-payments";
import { invoiceEffects } from "#features/payments";
import { applyRefundReport } from "#features/refunds";
import { orderEffects } from "#features/storefront";
import type { Delivery } from "#providers/payment";

const EFFECTS: EffectsByKind = { order: orderEffects, booking: bookingEffects, invoice: invoiceEffects };

/** A payment gateway's event about an order, a booking or an invoice. */
export function receivePaymentEvent(
  ctx: Ctx,
  { params, ...delivery }: Delivery & { params: Record<string, string> },
) {
  return receiveEvent(ctx, EFFECTS, applyRefundReport, params.gateway ?? "", delivery);
}

/** Asks the gateways about payments whose events did not come. */
export function reconcilePayments(ctx: Ctx): Promise<void> {
  return reconcile(ctx, EFFECTS);
}
