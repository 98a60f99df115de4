import { GatewayError, type RefundOrder, type RefundReport } from "./gateway.ts";

const KEY = /^rf-[0-9A-HJKMNP-TV-Z]{26}$/;

/** What a gateway said of a refund, each member as far as it could be read. */
type Said = { [Member in keyof RefundReport]: RefundReport[Member] | null };

/** The report of a refund, or null where it does not say which one and how much. */
export function refundReport(said: Said): RefundReport | null {
  const { type, kind, gatewayRefundId, amount, currency, state } = said;
  if (type === null || kind === null || state === null) return null;
  if (gatewayRefundId === null || amount === null || currency === null) return null;
  const key = said.key !== null && KEY.test(said.key) ? said.key : null;
  return { ...said, type, kind, gatewayRefundId, key, amount, currency: currency.toUpperCase(), state };
}

/** The answer to a refund that was ordered; of another one nothing is known. Throws GatewayError. */
export function asOrdered(report: RefundReport | null, order: RefundOrder): RefundReport {
  const { key, amount, currency, gatewayPaymentId } = order;
  const fits =
    report !== null &&
    report.amount === amount &&
    report.currency === currency &&
    (report.gatewayPaymentId ?? gatewayPaymentId) === gatewayPaymentId &&
    (report.key ?? key) === key;
  if (!fits) throw new GatewayError("The gateway answered another refund than the one ordered", true);
  return { ...report, gatewayPaymentId, key };
}

/** Throws how a gateway refused: its account, in its own words, or, without any, not known to be refused by it at all. */
export function asRefused(error: unknown): never {
  if (!(error instanceof GatewayError) || error.retry) throw error;
  if (error.reason === undefined) throw new GatewayError(error.message, true);
  const isAccount = error.status === 401 || error.status === 403;
  throw isAccount ? new GatewayError(error.message, false, "credentials", error.status) : error;
}
