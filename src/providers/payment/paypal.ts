import { parsed } from "#shared/json.ts";
import { at, listAt, textAt } from "../json.ts";
import { formsOf } from "./event-form.ts";
import {
  type Delivery,
  type Gateway,
  type GatewayAccount,
  GatewayError,
  type GatewayReport,
  type OpenIntent,
  type Reference,
  reportOf,
} from "./gateway.ts";
import { lookPaypalRefunds, paypalRefundsIn, REFUND_EVENTS, refundOnPaypal } from "./paypal-refunds.ts";
import { decimal, linkOf, minor, send } from "./paypal-request.ts";

/** Of characters, by PayPal's own rule. */
const MOST_DESCRIPTION = 127;
const TRANSMISSION = ["auth-algo", "cert-url", "transmission-id", "transmission-sig", "transmission-time"];

const CAPTURE_EVENTS = ["COMPLETED", "DENIED", "DECLINED"].map((end) => `PAYMENT.CAPTURE.${end}`);

/** PayPal: orders that the payer approves on a page of PayPal's and that we capture (https://developer.paypal.com/docs/api/orders/v2). */
export const paypal: Gateway = {
  addresses: { live: "https://api-m.paypal.com", test: "https://api-m.sandbox.paypal.com" },
  // Not INR: PayPal takes no domestic payments in India.
  currencies: ["USD", "EUR", "GBP", "AUD", "CAD", "SGD"],
  credentials: ["client_id", "client_secret", "webhook_id"],
  hasWebhookSecret: false,

  paymentData: ({ credentials }, { currency }, { gatewayOrderId, paymentUrl }) => ({
    paypal_order_id: gatewayOrderId,
    approve_url: paymentUrl,
    client_id: credentials.client_id ?? "",
    currency,
    gateway_order_id: gatewayOrderId,
  }),

  async open(account, payable) {
    const { company, kind, reference, currency } = payable;
    const body = {
      intent: "CAPTURE",
      purchase_units: [
        {
          reference_id: payable.returnsTo,
          custom_id: `${company}:${kind}:${reference}`,
          description: payable.description.slice(0, MOST_DESCRIPTION).toWellFormed(),
          amount: { currency_code: currency, value: decimal(payable.amount) },
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            payment_method_preference: "IMMEDIATE_PAYMENT_REQUIRED",
            user_action: "PAY_NOW",
            shipping_preference: "NO_SHIPPING",
            return_url: payable.returnUrl,
            cancel_url: payable.cancelUrl,
          },
        },
      },
    };
    const headers = { "PayPal-Request-Id": reference };
    const order = await send(account, "/v2/checkout/orders", body, headers);
    const id = textAt(order, "id");
    const url = linkOf(order, "payer-action") ?? linkOf(order, "approve");
    if (id === null || url === null) throw new GatewayError("PayPal opened no order that can be paid", false);
    return { gatewayOrderId: id, paymentUrl: url };
  },

  /** PayPal itself says whether it sent this. The body goes back as the very text that came: parsing it would break it. */
  async verify(account, _secrets, { headers, body }: Delivery) {
    const sent = TRANSMISSION.map((name) => [name.replace("-", "_"), headers.get(`PAYPAL-${name}`)] as const);
    if (sent.some(([, value]) => value === null)) return false;
    const fields = Object.fromEntries([...sent, ["webhook_id", account.credentials.webhook_id]]);
    const raw = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(body);
    // A body that is no JSON could put a webhook of its sender's own into the request.
    if (parsed(raw) === undefined) return false;
    const question = `${JSON.stringify(fields).slice(0, -1)},"webhook_event":${raw}}`;
    const path = "/v1/notifications/verify-webhook-signature";
    const answer = await send(account, path, question).catch(refusedAsNull);
    return textAt(answer, "verification_status") === "SUCCESS";
  },

  forms: {
    ...formsOf(["CHECKOUT.ORDER.APPROVED"], "resource.", ["id", "status"]),
    ...formsOf(CAPTURE_EVENTS, "resource.", ["id", "status", "amount.value", "amount.currency_code"]),
    ...formsOf([...REFUND_EVENTS.keys()], "resource.", [
      "id",
      "links",
      "amount.value",
      "amount.currency_code",
    ]),
  },
  typeOf: (event) => textAt(event, "event_type") ?? "",

  read(_account, event) {
    const type = paypal.typeOf(event);
    const created = Date.parse(textAt(event, "create_time") ?? "");
    return Promise.resolve({
      id: textAt(event, "id") ?? "",
      occurredAt: Number.isNaN(created) ? null : created,
      report: eventReport(type, at(event, "resource")),
      refunds: paypalRefundsIn(type, at(event, "resource")),
    });
  },

  async capture(account, intent) {
    const path = `/v2/checkout/orders/${encodeURIComponent(intent.gatewayOrderId)}/capture`;
    try {
      const headers = { "PayPal-Request-Id": `cap-${intent.id}`, Prefer: "return=representation" };
      const order = await send(account, path, {}, headers);
      // A minimal answer has no captures (developer.paypal.com/docs/api/orders/v2, "Capture payment for order", Prefer).
      return at(order, "purchase_units") === undefined
        ? await lookAt(account, intent)
        : orderReport("capture", order, intent);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.retry) throw error;
      // Declined, or the payer has to act again: no money yet. Captured before: the order shows what was taken.
      if (error.reason !== "ORDER_ALREADY_CAPTURED") return reportOf("capture");
      return lookAt(account, intent);
    }
  },

  async look(account, intent) {
    return [await lookAt(account, intent)];
  },

  refund: refundOnPaypal,
  lookRefunds: lookPaypalRefunds,
};

async function lookAt(account: GatewayAccount, intent: OpenIntent): Promise<GatewayReport> {
  const path = `/v2/checkout/orders/${encodeURIComponent(intent.gatewayOrderId)}`;
  return orderReport("look", await send(account, path), intent);
}

function eventReport(type: string, resource: unknown): GatewayReport {
  if (type === "CHECKOUT.ORDER.APPROVED") {
    const approved = textAt(resource, "status") === "APPROVED";
    return reportOf(type, {
      state: approved ? "capture" : "ignored",
      gatewayOrderId: textAt(resource, "id"),
      reference: referenceOf(textAt(resource, "purchase_units", 0, "custom_id")),
    });
  }
  if (!CAPTURE_EVENTS.includes(type)) return reportOf(type);
  return captureReport(type, resource, orderIdOf(resource));
}

function captureReport(type: string, capture: unknown, gatewayOrderId: string | null): GatewayReport {
  const status = textAt(capture, "status");
  const paid = status === "COMPLETED";
  return reportOf(type, {
    state: paid ? "paid" : /^(?:DENIED|DECLINED|FAILED)$/.test(status ?? "") ? "failed" : "ignored",
    gatewayOrderId,
    gatewayPaymentId: textAt(capture, "id"),
    amount: minor(textAt(capture, "amount", "value")),
    currency: textAt(capture, "amount", "currency_code"),
    fee: minor(textAt(capture, "seller_receivable_breakdown", "paypal_fee", "value")),
    method: "paypal",
    reference: referenceOf(textAt(capture, "custom_id")),
  });
}

/** An order that was looked at or captured: the money, else that the payer agreed, else the last try to take it. */
function orderReport(type: string, order: unknown, { gatewayOrderId }: OpenIntent): GatewayReport {
  const captures = listAt(order, "purchase_units", 0, "payments", "captures");
  const taken = captures.find((capture) => textAt(capture, "status") === "COMPLETED");
  const agreed = textAt(order, "status") === "APPROVED" && type === "look";
  const capture = taken ?? (agreed ? undefined : captures.at(-1));
  if (capture !== undefined) return captureReport(type, capture, gatewayOrderId);
  const returnsTo = textAt(order, "purchase_units", 0, "reference_id");
  return reportOf(type, { state: agreed ? "capture" : "ignored", gatewayOrderId, returnsTo });
}

// Some payloads lack related_ids; the link up to the order is there then.
function orderIdOf(capture: unknown): string | null {
  const related = textAt(capture, "supplementary_data", "related_ids", "order_id");
  const up = linkOf(capture, "up");
  return related ?? (up?.includes("/orders/") ? (up.split("/").at(-1) ?? null) : null);
}

function referenceOf(customId: string | null): Reference | null {
  const [company, kind, reference, ...rest] = customId?.split(":") ?? [];
  if (company === undefined || kind === undefined || reference === undefined || rest.length > 0) return null;
  return { company, kind, reference };
}

/** A refusal says that the event is not PayPal's; no answer says nothing, so the event is to come again. */
function refusedAsNull(error: unknown): null {
  if (error instanceof GatewayError && !error.retry) return null;
  throw error;
}
