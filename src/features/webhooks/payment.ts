import { type EffectsByKind, receiveEvent, reconcile } from "#features/gateway-payments";
import { orderEffects } from "#features/storefront";
import type { Ctx } from "#platform/context.ts";

const EFFECTS: Pick<EffectsByKind, "order"> = { order: orderEffects };

/** A payment gateway's event about an order or a booking. */
export function receivePaymentEvent(
  ctx: Ctx,
  {
    params,
    headers,
    body,
  }: { params: Record<string, string>; headers: Headers; body: Uint8Array<ArrayBuffer> },
) {
  return receiveEvent(ctx, EFFECTS as EffectsByKind, params.gateway ?? "", { headers, body });
}

/** The same state machine, fed by asking the gateways instead of waiting for them. */
export function reconcilePayments(ctx: Ctx): Promise<void> {
  return reconcile(ctx, EFFECTS as EffectsByKind);
}
