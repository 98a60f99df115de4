import type { GatewayKind } from "#shared/payments/gateways.ts";
import type { Gateway } from "./gateway.ts";
import { paypal } from "./paypal.ts";
import { razorpay } from "./razorpay.ts";
import { stripe } from "./stripe.ts";

export { logForm } from "./event-form.ts";
export {
  type Delivery,
  type GatewayAccount,
  GatewayError,
  type GatewayReport,
  isYoung,
  type OpenedPayment,
  type Payable,
  type RefundOrder,
  type RefundReport,
} from "./gateway.ts";

/** Every kind of payment gateway; a further one is a file of its own, and a line here. */
export const GATEWAYS: Record<GatewayKind, Gateway> = { razorpay, stripe, paypal };
