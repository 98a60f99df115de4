/** What an event of a payment gateway may change. */
export const PAYMENT_CHANGES = [
  "order",
  "invoice",
  "payment",
  "refund",
  "product",
  "booking",
  "package",
  "customer",
] as const;

/** What the callbacks of message providers may change. */
export const RECEIPT_CHANGES = ["message", "inbound_message", "optout"] as const;

/** What handing messages to their providers may change. */
export const DISPATCH_CHANGES = ["message", "provider"] as const;

/** What a company's clock may change by itself. */
export const DUE_CHANGES = ["booking", "package", "invoice", "refund", "message"] as const;

/** What the hourly jobs may change, with all that is due. */
export const HOURLY_CHANGES = [...DUE_CHANGES, "optout"] as const;
