import { MINUTE_MS } from "#shared/time/durations.ts";
import { at, textAt } from "../json.ts";
import { basic } from "../message-request.ts";
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
import { ask } from "./gateway-request.ts";

/** Of characters, by PayPal's own rule. */
const MOST_DESCRIPTION = 127;
const TRANSMISSION = ["auth-algo", "cert-url", "transmission-id", "transmission-sig", "transmission-time"];

/** PayPal: orders that the payer approves on a page of PayPal's and that we capture (https://developer.paypal.com/docs/api/orders/v2). */
export const paypal: Gateway = {
  addresses: { live: "https://api-m.paypal.com", test: "https://api-m.sandbox.paypal.com" },
  // Not INR: PayPal takes no domestic payments in India.
  currencies: ["USD", "EUR", "GBP", "AUD", "CAD", "SGD"],
  credentials: ["client_id", "client_secret", "webhook_id"],
  hasWebhookSecret: false,

  async open(account, payable) {
    const { company, kind, reference, currency } = payable;
    const order = await send(account, "/v2/checkout/orders", reference, {
      intent: "CAPTURE",
      purchase_units: [
        {
          reference_id: "default",
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
    });
    const id = textAt(order, "id");
    const url = linkOf(order, "payer-action") ?? linkOf(order, "approve");
    if (id === null || url === null) throw new GatewayError("PayPal opened no order that can be paid", false);
    return {
      gatewayOrderId: id,
      paymentUrl: url,
      paymentData: {
        paypal_order_id: id,
        approve_url: url,
        client_id: account.credentials.client_id ?? "",
        currency,
        gateway_order_id: id,
      },
    };
  },

  /** PayPal itself says whether it sent this. The body goes back as the very text that came: parsing it would break it. */
  async verify(account, _secrets, { headers, body }: Delivery) {
    const sent = TRANSMISSION.map((name) => [name.replace("-", "_"), headers.get(`PAYPAL-${name}`)] as const);
    if (sent.some(([, value]) => value === null)) return false;
    const fields = Object.fromEntries([...sent, ["webhook_id", account.credentials.webhook_id]]);
    const raw = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(body);
    if (!isJson(raw)) return false;
    const question = `${JSON.stringify(fields).slice(0, -1)},"webhook_event":${raw}}`;
    const path = "/v1/notifications/verify-webhook-signature";
    const answer = await send(account, path, null, question).catch(refusedAsNull);
    return textAt(answer, "verification_status") === "SUCCESS";
  },

  read(_account, event) {
    const type = textAt(event, "event_type") ?? "";
    const created = Date.parse(textAt(event, "create_time") ?? "");
    return Promise.resolve({
      id: textAt(event, "id") ?? "",
      occurredAt: Number.isNaN(created) ? null : created,
      report: eventReport(type, at(event, "resource")),
    });
  },

  async capture(account, intent) {
    const path = `/v2/checkout/orders/${encodeURIComponent(intent.gatewayOrderId)}/capture`;
    try {
      return orderReport("capture", await send(account, path, `cap-${intent.id}`, {}), intent);
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
  if (!/^PAYMENT\.CAPTURE\.(?:COMPLETED|DENIED|DECLINED)$/.test(type)) return reportOf(type);
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
  const found = at(order, "purchase_units", 0, "payments", "captures");
  const captures: unknown[] = Array.isArray(found) ? found : [];
  const taken = captures.find((capture) => textAt(capture, "status") === "COMPLETED");
  const agreed = textAt(order, "status") === "APPROVED" && type === "look";
  const capture = taken ?? (agreed ? undefined : captures.at(-1));
  if (capture !== undefined) return captureReport(type, capture, gatewayOrderId);
  return reportOf(type, { state: agreed ? "capture" : "ignored", gatewayOrderId });
}

// Some payloads lack related_ids; the link up to the order is there then.
function orderIdOf(capture: unknown): string | null {
  const related = textAt(capture, "supplementary_data", "related_ids", "order_id");
  const up = linkOf(capture, "up");
  return related ?? (up?.includes("/orders/") ? (up.split("/").at(-1) ?? null) : null);
}

function linkOf(value: unknown, rel: string): string | null {
  const links = at(value, "links");
  const link = Array.isArray(links) ? links.find((each) => textAt(each, "rel") === rel) : undefined;
  return textAt(link, "href");
}

function referenceOf(customId: string | null): Reference | null {
  const [company, kind, reference, ...rest] = customId?.split(":") ?? [];
  if (company === undefined || kind === undefined || reference === undefined || rest.length > 0) return null;
  return { company, kind, reference };
}

function decimal(amount: number): string {
  return `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;
}

function minor(value: string | null): number | null {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(value ?? "");
  return match === null ? null : Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** Asks PayPal with a token; `requestId` makes a repeated request the same one, a text goes as it is. */
async function send(
  account: GatewayAccount,
  path: string,
  requestId: string | null = null,
  body?: object | string,
): Promise<unknown> {
  const request = async () => {
    const headers = { Authorization: `Bearer ${await tokenOf(account)}`, "Content-Type": "application/json" };
    return ask(account.address + path, {
      method: body === undefined ? "GET" : "POST",
      headers: requestId === null ? headers : { ...headers, "PayPal-Request-Id": requestId },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  };
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof GatewayError && error.reason === "invalid_token")) throw error;
    // PayPal took the token back before its time.
    tokens.clear();
    return request();
  }
}

const EARLY_MS = MINUTE_MS;
const MOST = 200;
// A token is good for hours, and asking for one costs a round trip per payment.
const tokens = new Map<string, { token: string; until: number }>();

async function tokenOf({ address, credentials }: GatewayAccount): Promise<string> {
  const authorization = basic(credentials.client_id, credentials.client_secret);
  const name = `${address} ${authorization}`;
  const known = tokens.get(name);
  if (known !== undefined && known.until > performance.now()) return known.token;
  const answer = await ask(`${address}/v1/oauth2/token`, {
    headers: { Authorization: authorization, "Content-Type": "application/x-www-form-urlencoded" },
    body: "grant_type=client_credentials",
  });
  const token = textAt(answer, "access_token");
  if (token === null) throw new GatewayError("PayPal gave no token", false);
  const seconds = Number(at(answer, "expires_in"));
  if (tokens.size >= MOST) tokens.clear();
  if (seconds > 0) tokens.set(name, { token, until: performance.now() + seconds * 1_000 - EARLY_MS });
  return token;
}

/** A body that is no JSON could put a webhook of its sender's own into the request. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A refusal says that the event is not PayPal's; no answer says nothing, so the event is to come again. */
function refusedAsNull(error: unknown): null {
  if (error instanceof GatewayError && !error.retry) return null;
  throw error;
}
