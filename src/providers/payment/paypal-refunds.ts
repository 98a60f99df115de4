import { listAt, textAt } from "../json.ts";
import {
  type GatewayAccount,
  GatewayError,
  type RefundedPayment,
  type RefundOrder,
  type RefundReport,
} from "./gateway.ts";
import { askForMoney } from "./gateway-request.ts";
import { decimal, minor, send } from "./paypal-request.ts";
import { asOrdered, asRefused, refundReport } from "./refund-report.ts";

// The facts here: https://github.com/paypal/paypal-rest-api-specifications, openapi/payments_payment_v2.json.

/** PayPal has no event for a refund that ends late: one that is pending is looked at. */
export const REFUND_EVENTS = new Map<string, RefundReport["kind"]>([
  ["PAYMENT.CAPTURE.REFUNDED", "refund"],
  ["PAYMENT.CAPTURE.REVERSED", "chargeback"],
]);

const STATES = new Map<string, RefundReport["state"]>([
  ["COMPLETED", "succeeded"],
  ["FAILED", "failed"],
  ["CANCELLED", "failed"],
]);

/** Refunds a capture: the key is kept for 45 days, and without `Prefer` the answer lacks amount and key. */
export async function refundOnPaypal(account: GatewayAccount, order: RefundOrder): Promise<RefundReport> {
  const path = `/v2/payments/captures/${encodeURIComponent(order.gatewayPaymentId)}/refund`;
  const amount = { value: decimal(order.amount), currency_code: order.currency };
  const headers = { "PayPal-Request-Id": order.key, Prefer: "return=representation" };
  const body = { amount, custom_id: order.key };
  const answer = await send(account, path, body, headers, askForMoney).catch(asRefused);
  return asOrdered(refundResource("refund", answer), order);
}

/** The refunds of a capture, which PayPal lists in its order only. */
export async function lookPaypalRefunds(
  account: GatewayAccount,
  { gatewayPaymentId, gatewayOrderId }: RefundedPayment,
): Promise<RefundReport[]> {
  const order = gatewayOrderId ?? (await orderOf(account, gatewayPaymentId));
  const answer = await send(account, `/v2/checkout/orders/${encodeURIComponent(order)}`).catch(asRefused);
  return listAt(answer, "purchase_units", 0, "payments", "refunds")
    .flatMap((refund) => refundResource("look", refund) ?? [])
    .filter((refund) => refund.gatewayPaymentId === gatewayPaymentId);
}

async function orderOf(account: GatewayAccount, capture: string): Promise<string> {
  const path = `/v2/payments/captures/${encodeURIComponent(capture)}`;
  const answer = await send(account, path).catch(asRefused);
  const order = textAt(answer, "supplementary_data", "related_ids", "order_id");
  if (order === null) throw new GatewayError("PayPal names no order of the capture", true);
  return order;
}

/** What an event says of money that went back. */
export function paypalRefundsIn(type: string, resource: unknown): RefundReport[] {
  const kind = REFUND_EVENTS.get(type);
  const refund = kind === undefined ? null : refundResource(type, resource, kind);
  return refund === null ? [] : [refund];
}

/** A refund; or a reversal, which PayPal or the payer's bank made, and whose amount can bear a minus. */
function refundResource(
  type: string,
  refund: unknown,
  kind: RefundReport["kind"] = "refund",
): RefundReport | null {
  const status = textAt(refund, "status") ?? "";
  const state = kind === "refund" ? (STATES.get(status) ?? "pending") : "succeeded";
  return refundReport({
    type,
    kind,
    gatewayRefundId: textAt(refund, "id"),
    gatewayPaymentId: captureOf(refund),
    key: textAt(refund, "custom_id"),
    amount: minor(textAt(refund, "amount", "value")?.replace(/^-/, "") ?? null),
    currency: textAt(refund, "amount", "currency_code"),
    state,
    failureCode: state === "failed" ? (textAt(refund, "status_details", "reason") ?? status) : null,
  });
}

/** The capture that a refund's link leads up to. */
function captureOf(refund: unknown): string | null {
  const addresses = listAt(refund, "links").map((link) => textAt(link, "href") ?? "");
  return addresses.map((address) => /\/captures\/([^/?]+)$/.exec(address)?.[1]).find(Boolean) ?? null;
}
