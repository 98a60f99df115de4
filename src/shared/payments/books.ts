import type { GatewayKind } from "./gateways.ts";

/** The books are in rupees: what is in another currency is not posted. */
export const BOOKS_CURRENCY = "INR";

/** The codes of the accounts that the service posts to; the chart of every company starts with them. */
export const ACCOUNTS = {
  cash: "1010",
  bank: "1020",
  razorpayClearing: "1030",
  stripeClearing: "1031",
  paypalClearing: "1032",
  sundryDebtors: "1100",
  tdsReceivable: "1200",
  outputCgst: "2100",
  outputSgst: "2110",
  outputIgst: "2120",
  sales: "4000",
  shippingIncome: "4010",
  roundOff: "5200",
} as const;
export type AccountCode = (typeof ACCOUNTS)[keyof typeof ACCOUNTS];

/** Where the money that a gateway took lies until the gateway pays it out. */
export const CLEARING_ACCOUNTS: Readonly<Record<GatewayKind, AccountCode>> = {
  razorpay: ACCOUNTS.razorpayClearing,
  stripe: ACCOUNTS.stripeClearing,
  paypal: ACCOUNTS.paypalClearing,
};
