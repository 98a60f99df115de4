import type { GatewayKind } from "./gateways.ts";

/** What `POST /invoices` and `/payments` take. Books are in the company's currency: what is in another is not posted. */
export const BOOKS_CURRENCY = "INR";

/** The code of Sundry Debtors, under which each customer has an account. */
export const DEBTORS_CODE = "1100";

/** The system keys of the accounts that the service posts to; the chart of every company starts with them. */
export const ACCOUNTS = {
  cash: "cash",
  bank: "bank",
  razorpayClearing: "razorpay_clearing",
  stripeClearing: "stripe_clearing",
  paypalClearing: "paypal_clearing",
  sundryDebtors: "sundry_debtors",
  tdsReceivable: "tds_receivable",
  inputGst: "input_gst",
  inputCgst: "input_cgst",
  inputSgst: "input_sgst",
  inputIgst: "input_igst",
  outputCgst: "output_cgst",
  outputSgst: "output_sgst",
  outputIgst: "output_igst",
  customerAdvances: "customer_advances",
  unearnedLessonIncome: "unearned_lesson_income",
  openingBalanceEquity: "opening_balance_equity",
  sales: "sales",
  shippingIncome: "shipping_income",
  lessonIncome: "lesson_income",
  roundOff: "round_off",
  gatewayCharges: "gateway_charges",
  exchangeDifference: "exchange_difference",
} as const;
export type AccountKey = (typeof ACCOUNTS)[keyof typeof ACCOUNTS];

/** Where the money that a gateway took lies until the gateway pays it out. */
export const CLEARING_ACCOUNTS: Readonly<Record<GatewayKind, AccountKey>> = {
  razorpay: ACCOUNTS.razorpayClearing,
  stripe: ACCOUNTS.stripeClearing,
  paypal: ACCOUNTS.paypalClearing,
};
