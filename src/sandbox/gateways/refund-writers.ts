import type { Kind } from "./merchants.ts";
import { paypalWriter } from "./paypal-refunds.ts";
import { razorpayWriter } from "./razorpay-refunds.ts";
import type { RefundWriter } from "./refund-course.ts";
import { stripeWriter } from "./stripe-refunds.ts";

export const WRITERS: Record<Kind, RefundWriter> = {
  razorpay: razorpayWriter,
  stripe: stripeWriter,
  paypal: paypalWriter,
};
