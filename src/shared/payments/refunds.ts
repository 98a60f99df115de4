import { CREDIT_REASONS } from "./credit-reasons.ts";

export const REFUND_STATUSES = ["created", "pending", "succeeded", "failed"] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export const REFUND_SOURCES = ["api", "gateway", "chargeback"] as const;
export type RefundSource = (typeof REFUND_SOURCES)[number];

/** Why the service sends money back. */
export const REFUND_REASONS = [...CREDIT_REASONS, "duplicate_payment", "late_payment", "oversold"] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** Whether money goes back that came besides what a document charges: the document stays. */
export function isOfExtraMoney(reason: RefundReason): boolean {
  return reason === "duplicate_payment" || reason === "late_payment";
}
