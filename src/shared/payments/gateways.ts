/** The kinds of payment gateway. */
export const GATEWAY_KINDS = ["razorpay", "stripe", "paypal"] as const;
export type GatewayKind = (typeof GATEWAY_KINDS)[number];

/** The currencies that orders may be paid in. */
export const CURRENCIES = ["INR", "USD", "EUR", "GBP", "AUD", "CAD", "SGD", "MYR"] as const;
