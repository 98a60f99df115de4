import type { RefundOrder, RefundReport } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";

export const KEY = "rf-01KAJ7Q3M8Z5T1V9B2C4D6F8GH";
export const order: RefundOrder = {
  key: KEY,
  company: "asha-traders",
  gatewayPaymentId: "PAY",
  gatewayOrderId: "ORDER",
  amount: 35_405,
  currency: "USD",
  isDuplicate: false,
  isInstant: false,
};

const CAPTURE_LINK = { rel: "up", href: "https://api-m.paypal.com/v2/payments/captures/PAY", method: "GET" };

type Fields = { id?: string; amount?: number; status?: string; key?: string | null; payment?: string };

/** A refund as each gateway writes it. */
export const WRITE: Record<GatewayKind, (fields?: Fields) => Record<string, unknown>> = {
  razorpay: ({ id = "R1", amount = 35_405, status = "processed", key = KEY, payment = "PAY" } = {}) => ({
    id,
    entity: "refund",
    amount,
    currency: "USD",
    payment_id: payment,
    receipt: key,
    status,
  }),
  stripe: ({ id = "R1", amount = 35_405, status = "succeeded", key = KEY, payment = "PAY" } = {}) => ({
    id,
    object: "refund",
    amount,
    currency: "usd",
    payment_intent: payment,
    metadata: key === null ? {} : { company: "asha-traders", refund: key },
    reason: "requested_by_customer",
    status,
  }),
  paypal: ({ id = "R1", amount = 35_405, status = "COMPLETED", key = KEY, payment = "PAY" } = {}) => ({
    id,
    status,
    amount: { value: (amount / 100).toFixed(2), currency_code: "USD" },
    ...(key !== null && { custom_id: key }),
    links: [
      { rel: "self", href: "https://api-m.paypal.com/v2/payments/refunds/R1", method: "GET" },
      { ...CAPTURE_LINK, href: CAPTURE_LINK.href.replace("PAY", payment) },
    ],
  }),
};

/** A list of refunds as each gateway answers it. */
export const LIST: Record<GatewayKind, (...refunds: object[]) => object> = {
  razorpay: (...items) => ({ entity: "collection", count: items.length, items }),
  stripe: (...data) => ({ object: "list", data, has_more: false }),
  paypal: (...refunds) => ({ id: "ORDER", purchase_units: [{ payments: { captures: [], refunds } }] }),
};

export const REPORT: RefundReport = {
  type: "refund",
  kind: "refund",
  gatewayRefundId: "R1",
  gatewayPaymentId: "PAY",
  key: KEY,
  amount: 35_405,
  currency: "USD",
  state: "succeeded",
  failureCode: null,
};
