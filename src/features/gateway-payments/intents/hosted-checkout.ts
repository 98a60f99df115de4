import type { OutsideCtx } from "#platform/context.ts";
import { GATEWAYS } from "#providers/payment";

/** A form that brings a payer to a gateway's own page. */
export type HostedCheckout = { action: string; fields: Record<string, string> };

/**
 * The form of Razorpay's hosted checkout for a payment that was opened, which needs no script
 * (https://razorpay.com/docs/payments/payment-gateway/web-integration/hosted/build-integration).
 */
export function hostedCheckout(
  { services }: OutsideCtx,
  data: Record<string, unknown>,
  addresses: { callbackUrl: string; cancelUrl: string },
): HostedCheckout {
  const { name, email, contact } = Object(data.prefill) as Record<string, string | null>;
  const fields: Record<string, unknown> = {
    key_id: data.key_id,
    order_id: data.razorpay_order_id,
    amount: data.amount,
    currency: data.currency,
    name: data.name,
    "prefill[name]": name,
    "prefill[email]": email,
    "prefill[contact]": contact,
    callback_url: addresses.callbackUrl,
    cancel_url: addresses.cancelUrl,
  };
  const known = Object.entries(fields).filter(([, value]) => value != null);
  const address = services.addressOf("razorpay", GATEWAYS.razorpay.addresses.live);
  return {
    action: `${address}/v1/checkout/embedded`,
    fields: Object.fromEntries(known.map(([key, value]) => [key, String(value)])),
  };
}
