import { CREDIT_REASONS } from "./credit-reasons.ts";

export const REFUND_STATUSES = ["created", "pending", "succeeded", "failed"] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** What of all that came for an order or a booking went back through gateways. */
export const REFUND_STATES = ["none", "pending", "partial", "refunded"] as const;
export type RefundState = (typeof REFUND_STATES)[number];
export const REFUND_STATES_WORDS =
  "What of all that came went back through gateways. `pending`: a refund is not finished. `refunded`: all went back.";

/** How fast money goes back; `instant` is Razorpay's alone. */
export const REFUND_SPEEDS = ["normal", "instant"] as const;

/** Why the service sends money back. */
export const REFUND_REASONS = [...CREDIT_REASONS, "duplicate_payment", "late_payment", "oversold"] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** What a call is refused with that gives money back by a credit note. */
export const CREDITING_PROBLEMS = [
  "credit_exceeds_invoice",
  "limit_reached",
  "has_credit_notes",
  "has_gateway_refunds",
  "refund_in_progress",
  "return_filed",
  "period_locked",
  "number_exhausted",
] as const;

/** Whether money goes back that came besides what a document charges: the document stays. */
export function isOfExtraMoney(reason: RefundReason): boolean {
  return reason === "duplicate_payment" || reason === "late_payment";
}
