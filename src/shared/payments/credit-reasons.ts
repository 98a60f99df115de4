/** Why value is given back, in the words of the GST returns. */
export const CREDIT_REASONS = [
  "sales_return",
  "post_sale_discount",
  "deficiency",
  "correction",
  "change_of_pos",
  "cancellation",
  "other",
] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];
