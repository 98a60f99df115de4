import { logFault } from "#core/log.ts";
import { at, textAt, wholeAt } from "../json.ts";
import { type Forms, formsOf } from "./event-form.ts";
import {
  type Delivery,
  type GatewayAccount,
  GatewayError,
  type GatewayEvent,
  type GatewayReport,
  isYoung,
  type RefundedPayment,
  type RefundReport,
  referenceIn,
  reportOf,
} from "./gateway.ts";
import { ask } from "./gateway-request.ts";
import { hundredths } from "./minor-units.ts";
import { asRefused, refundReport } from "./refund-report.ts";
import { headersOf, VERSION } from "./stripe-request.ts";

const CHARGE_REFUNDED = "charge.refunded";
export const COMPLETED = "checkout.session.completed";
export const EXPIRED = "checkout.session.expired";
const PAYING = new Set([COMPLETED, "checkout.session.async_payment_succeeded"]);
const CLOSING = new Set(["checkout.session.async_payment_failed", EXPIRED]);

/** What reports money that went back, or came again (https://docs.stripe.com/api/events/types); the last of refunds is of older versions. */
const MONEY_BACK = new Map<string, RefundReport["kind"]>([
  ["refund.created", "refund"],
  ["refund.updated", "refund"],
  ["refund.failed", "refund"],
  ["charge.refund.updated", "refund"],
  ["charge.dispute.funds_withdrawn", "chargeback"],
  ["charge.dispute.funds_reinstated", "chargeback_reversed"],
]);

const SESSION_EVENTS = [...PAYING, ...CLOSING];
const THIN = [...SESSION_EVENTS, ...MONEY_BACK.keys()].map((type) => `v1.${type}`);

export const STRIPE_FORMS: Forms = {
  ...formsOf(SESSION_EVENTS, "data.object.", ["id", "mode", "payment_status", "amount_total", "currency"]),
  ...formsOf([...MONEY_BACK.keys()], "data.object.", ["id", "amount", "currency", "status"]),
  ...formsOf([CHARGE_REFUNDED], "data.object.", ["payment_intent"]),
  ...formsOf(THIN, "related_object.", ["url"]),
};

/** Reads a verified event; what it only names is asked for. One of what Stripe does not know, as of another account, is ignored. */
export async function readStripeEvent(
  account: GatewayAccount,
  event: unknown,
  delivery: Delivery,
): Promise<GatewayEvent> {
  // A thin event names what it is about (docs.stripe.com/event-destinations, "Thin events").
  const said = at(event, "object") === "v2.core.event" ? thin(event) : snapshot(event);
  const read = { id: textAt(event, "id") ?? "", occurredAt: said.occurredAt };
  const { type } = said;
  const ignored = { ...read, report: reportOf(type), refunds: [] };
  if (at(event, "livemode") !== (account.mode === "live") || !isRead(said)) return ignored;
  try {
    return { ...ignored, ...(await whatIsSaid(account, said)) };
  } catch (error) {
    const isUnknown = error instanceof GatewayError && error.status === 404;
    if (!isUnknown || isYoung(said.occurredAt, delivery)) throw error;
    logFault("callback_form", `An event ${type} names what Stripe does not know`, "stripe");
    return ignored;
  }
}

async function whatIsSaid(
  account: GatewayAccount,
  { type, url, object: sent }: Said,
): Promise<Partial<GatewayEvent>> {
  const asked = { method: "GET", headers: headersOf(account) } as const;
  const object = url === null ? sent : await ask(account.address + url, asked);
  if (type === CHARGE_REFUNDED) return { refunds: await refundsOfCharge(account, object) };
  if (!MONEY_BACK.has(type)) return { report: sessionReport(type, object) };
  const refund = moneyBack(type, object);
  return { refunds: refund === null ? [] : [refund] };
}

/** The newest first, a hundred at most (https://docs.stripe.com/api/refunds/list). */
export async function lookStripeRefunds(
  account: GatewayAccount,
  { gatewayPaymentId }: Pick<RefundedPayment, "gatewayPaymentId">,
): Promise<RefundReport[]> {
  const url = `${account.address}/v1/refunds?limit=100&payment_intent=${encodeURIComponent(gatewayPaymentId)}`;
  const found = at(await ask(url, { method: "GET", headers: headersOf(account) }).catch(asRefused), "data");
  return (Array.isArray(found) ? found : []).flatMap((refund) => moneyBack("look", refund) ?? []);
}

/** What an event says beside its id. */
type Said = { type: string; occurredAt: number | null; object: unknown; url: string | null; version: string };

function snapshot(event: unknown): Said {
  const created = wholeAt(event, "created");
  return {
    type: textAt(event, "type") ?? "",
    occurredAt: created === null ? null : created * 1_000,
    object: at(event, "data", "object"),
    url: null,
    version: textAt(event, "api_version") ?? "",
  };
}

function thin(event: unknown): Said {
  const created = Date.parse(textAt(event, "created") ?? "");
  return {
    type: textAt(event, "type")?.replace(/^v1\./, "") ?? "",
    occurredAt: Number.isNaN(created) ? null : created,
    object: null,
    url: textAt(event, "related_object", "url"),
    version: VERSION,
  };
}

const THINGS = /^\/v1\/(?:checkout\/sessions|refunds|disputes)\/\w+$/;

/**
 * Whether an event is of what is read here. `charge.refunded` is where an endpoint's version has no event of the refund
 * itself (docs.stripe.com/changelog/acacia/2024-10-28/refund-webhook-update).
 */
function isRead({ type, object, url, version }: Said): boolean {
  if (type === CHARGE_REFUNDED) return version < "2024-10-28";
  if (!MONEY_BACK.has(type) && !PAYING.has(type) && !CLOSING.has(type)) return false;
  return url === null ? object !== null : THINGS.test(url);
}

/** The charge's refunds, which newer versions leave out of it, oldest first. */
async function refundsOfCharge(account: GatewayAccount, charge: unknown): Promise<RefundReport[]> {
  const gatewayPaymentId = textAt(charge, "payment_intent");
  if (gatewayPaymentId === null) return [];
  const found = await lookStripeRefunds(account, { gatewayPaymentId });
  return found.map((refund) => ({ ...refund, type: CHARGE_REFUNDED })).reverse();
}

/** What waits for the bank, or for the payer to act, is pending (https://docs.stripe.com/api/refunds/object). */
const REFUND_STATES = new Map<string, RefundReport["state"]>([
  ["succeeded", "succeeded"],
  ["failed", "failed"],
  ["canceled", "failed"],
]);

/** A refund, or a dispute that moved money; one of a charge that was never captured moves none. */
export function moneyBack(type: string, object: unknown): RefundReport | null {
  const kind = MONEY_BACK.get(type) ?? "refund";
  if (textAt(object, "reason") === "expired_uncaptured_charge") return null;
  const status = textAt(object, "status") ?? "";
  const state = kind === "refund" ? (REFUND_STATES.get(status) ?? "pending") : "succeeded";
  return refundReport({
    type,
    kind,
    gatewayRefundId: textAt(object, "id"),
    gatewayPaymentId: textAt(object, "payment_intent"),
    key: textAt(object, "metadata", "refund"),
    amount: hundredths(wholeAt(object, "amount"), textAt(object, "currency")),
    currency: textAt(object, "currency"),
    state,
    failureCode: state === "failed" ? (textAt(object, "failure_reason") ?? status) : null,
  });
}

/** What a session says, in an event of a type or in an answer. */
export function sessionReport(type: string, session: unknown): GatewayReport {
  const ours = textAt(session, "mode") === "payment";
  const paid = PAYING.has(type) && textAt(session, "payment_status") === "paid";
  const said = {
    gatewayOrderId: textAt(session, "id"),
    gatewayPaymentId: textAt(session, "payment_intent"),
    amount: hundredths(wholeAt(session, "amount_total"), textAt(session, "currency")),
    currency: textAt(session, "currency")?.toUpperCase() ?? null,
    reference: referenceIn(at(session, "metadata")),
    returnsTo: textAt(session, "metadata", "returns_to"),
  };
  if (ours && paid) return reportOf(type, { ...said, state: "paid" });
  return reportOf(type, { ...said, state: ours && CLOSING.has(type) ? "closed" : "ignored" });
}
