import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import type { Merchant } from "../../../src/sandbox/gateways/merchants.ts";
import { rawMember } from "../../../src/sandbox/gateways/paypal-signature.ts";
import signatures from "../../vectors/signatures.json" with { type: "json" };
import { holdsContract } from "./contract.ts";
import { basic, call, eventsReceived, gateways, openAccount, pay, received, receiver } from "./harness.ts";
import { newPayment } from "./payments.ts";

holdsContract("paypal", {
  currency: "USD",
  states: { succeeded: "COMPLETED", failed: "FAILED", pending: "PENDING" },
  events: {
    made: ["PAYMENT.CAPTURE.REFUNDED"],
    waiting: [],
    succeeded: ["PAYMENT.CAPTURE.REFUNDED"],
    failed: [],
  },
  refusals: {
    tooMuch: "REFUND_AMOUNT_EXCEEDED",
    nothingLeft: "CAPTURE_FULLY_REFUNDED",
    uncaptured: "REFUND_NOT_ALLOWED",
    foreign: "INVALID_RESOURCE_ID",
    takenBack: "REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK",
    poor: /INSUFFICIENT_FUNDS/,
  },
  uncaptured: "failed",
  forgetsAfter: { hours: 45 * 24, isKnown: false },
  sameKey: "the first again",
  // Its refunds fail while they are on their way only.
  failsByHand: false,
  chargeback: { kind: "chargeback", events: ["PAYMENT.CAPTURE.REVERSED"], reversed: null },
});

const ORDER = {
  intent: "CAPTURE",
  purchase_units: [
    {
      reference_id: "default",
      custom_id: "shop:order:1",
      description: "Order SO/26-27/00001 – Zoë",
      amount: { currency_code: "USD", value: "12.50" },
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        payment_method_preference: "IMMEDIATE_PAYMENT_REQUIRED",
        user_action: "PAY_NOW",
        shipping_preference: "NO_SHIPPING",
        return_url: "http://localhost/thanks?order=1",
        cancel_url: "http://localhost/cart",
      },
    },
  },
};

async function tokenOf(merchant: Merchant): Promise<string> {
  const grant = "grant_type=client_credentials";
  const { body } = await call("/paypal/v1/oauth2/token", basic(merchant), grant);
  return `Bearer ${body.access_token}`;
}

async function newOrder(token: string, headers = {}) {
  return call("/paypal/v2/checkout/orders", token, ORDER, headers);
}

/** Has every approved order captured as soon as its webhook comes, as the Worker does. */
function captureOnApproval(token: string, requestId: string) {
  const captures: Awaited<ReturnType<typeof call>>[] = [];
  receiver.answer = async ({ body }) => {
    const { event_type, resource } = JSON.parse(body);
    if (event_type === "CHECKOUT.ORDER.APPROVED") {
      const path = `/paypal/v2/checkout/orders/${resource.id}/capture`;
      captures.push(await call(path, token, {}, { "PayPal-Request-Id": requestId }));
    }
    return 200;
  };
  return captures;
}

it("gives tokens to its accounts only", async () => {
  const merchant = openAccount("paypal");
  expect(await tokenOf(merchant)).toMatch(/^Bearer A21AA\w{92}$/);
  const wrong = basic({ ...merchant, secret: "guessed" });
  const refused = await call("/paypal/v1/oauth2/token", wrong, "grant_type=client_credentials");
  expect([refused.status, refused.body.error]).toEqual([401, "invalid_client"]);
  expect((await newOrder("Bearer guessed")).body.error).toBe("invalid_token");
});

it("makes an order whose approval address is the payment page, once per PayPal-Request-Id", async () => {
  const token = await tokenOf(openAccount("paypal"));
  const first = await newOrder(token, { "PayPal-Request-Id": "pi-shop-1" });
  const { id, links } = first.body;
  expect([first.status, first.body.status]).toEqual([201, "PAYER_ACTION_REQUIRED"]);
  expect(links).toContainEqual({
    rel: "payer-action",
    href: `${gateways.url}/pay/paypal/${id}`,
    method: "GET",
  });
  const second = await newOrder(token, { "PayPal-Request-Id": "pi-shop-1" });
  expect([second.status, second.body]).toEqual([200, first.body]);
  expect((await call(`/paypal/v2/checkout/orders/${id}`, token)).body.purchase_units).toEqual(
    ORDER.purchase_units,
  );
});

it("refuses in PayPal's shape", async () => {
  const token = await tokenOf(openAccount("paypal"));
  const { id } = (await newOrder(token)).body;
  const early = await call(`/paypal/v2/checkout/orders/${id}/capture`, token, {});
  expect([early.status, early.body.details[0].issue]).toEqual([422, "ORDER_NOT_APPROVED"]);
  const stranger = await tokenOf(openAccount("paypal"));
  const foreign = await call(`/paypal/v2/checkout/orders/${id}`, stranger);
  expect([foreign.status, foreign.body.name]).toEqual([404, "RESOURCE_NOT_FOUND"]);
  const [unit] = ORDER.purchase_units;
  const inexact = {
    ...ORDER,
    purchase_units: [{ ...unit, amount: { currency_code: "USD", value: "12.5" } }],
  };
  const refused = await call("/paypal/v2/checkout/orders", token, inexact);
  expect([refused.status, refused.body.details[0].field]).toEqual([400, "/purchase_units/0/amount/value"]);
});

it("has an approved order captured by the merchant, once, and reports the capture", async () => {
  const token = await tokenOf(openAccount("paypal"));
  const captures = captureOnApproval(token, "cap-1");
  const { id } = (await newOrder(token)).body;
  const { body } = await pay("paypal", id, "paid");
  expect(body.state).toBe("paid");
  expect(body.webhooks).toMatchObject([
    { event: "CHECKOUT.ORDER.APPROVED", statuses: [200] },
    { event: "PAYMENT.CAPTURE.COMPLETED", statuses: [200] },
  ]);
  const [capture] = captures;
  const payment = {
    id: body.payment_ids[0],
    status: "COMPLETED",
    amount: { currency_code: "USD", value: "12.50" },
  };
  expect([capture?.status, capture?.body.status]).toEqual([201, "COMPLETED"]);
  expect(capture?.body.purchase_units[0].payments.captures[0]).toMatchObject(payment);
  const completed = received.map(({ body: text }) => JSON.parse(text)).find(isCompleted);
  expect(completed.resource).toMatchObject({
    ...payment,
    custom_id: "shop:order:1",
    supplementary_data: { related_ids: { order_id: id } },
  });

  const path = `/paypal/v2/checkout/orders/${id}/capture`;
  const replayed = await call(path, token, {}, { "PayPal-Request-Id": "cap-1" });
  expect([replayed.status, replayed.body]).toEqual([200, capture?.body]);
  const again = await call(path, token, {}, { "PayPal-Request-Id": "cap-2" });
  expect([again.status, again.body.details[0].issue]).toEqual([422, "ORDER_ALREADY_CAPTURED"]);
  const read = await call(`/paypal/v2/checkout/orders/${id}`, token);
  expect(read.body.purchase_units[0].payments.captures).toHaveLength(1);
});

it("declines the capture of a payment that fails, and lets the payer try again", async () => {
  const token = await tokenOf(openAccount("paypal"));
  const captures = captureOnApproval(token, "cap-1");
  const { id } = (await newOrder(token)).body;
  expect((await pay("paypal", id, "failed")).body.state).toBe("open");
  expect(captures[0]?.body.details[0].issue).toBe("INSTRUMENT_DECLINED");
  expect(eventsReceived()).toEqual(["CHECKOUT.ORDER.APPROVED", "PAYMENT.CAPTURE.DECLINED"]);
  expect((await pay("paypal", id, "paid")).body.state).toBe("paid");
});

it("answers a refund with as little as can be unless asked for more, and takes its own currency only", async () => {
  const paid = await newPayment("paypal");
  const path = `/paypal/v2/payments/captures/${paid.payment}/refund`;
  const ask = (value: string, currency_code: string) =>
    call(path, paid.authorization, { amount: { value, currency_code } });
  expect((await ask("10.00", "EUR")).body.details[0].issue).toBe("REFUND_CAPTURE_CURRENCY_MISMATCH");
  expect((await ask("0.00", "USD")).body.details[0].issue).toBe("CANNOT_BE_ZERO_OR_NEGATIVE");
  expect((await ask("10.0", "USD")).status).toBe(400);
  const { status, body } = await ask("10.00", "USD");
  expect([status, Object.keys(body)]).toEqual([201, ["id", "status", "links"]]);
  const read = await call(`/paypal/v2/payments/refunds/${body.id}`, paid.authorization);
  expect(read.body.amount).toEqual({ value: "10.00", currency_code: "USD" });
  const capture = await call(`/paypal/v2/payments/captures/${paid.payment}`, paid.authorization);
  expect(capture.body).toMatchObject({
    status: "PARTIALLY_REFUNDED",
    supplementary_data: { related_ids: { order_id: paid.order } },
  });
});

it("verifies a webhook only where its body is spliced in byte for byte", async () => {
  const merchant = openAccount("paypal");
  const token = await tokenOf(merchant);
  const { id } = (await newOrder(token)).body;
  await pay("paypal", id, "paid");
  const [webhook] = received;
  if (webhook === undefined) throw new Error("No webhook came");
  const { headers, body } = webhook;
  expect(body).toContain("Zoë");
  const head = {
    auth_algo: headers["paypal-auth-algo"],
    cert_url: headers["paypal-cert-url"],
    transmission_id: headers["paypal-transmission-id"],
    transmission_sig: headers["paypal-transmission-sig"],
    transmission_time: headers["paypal-transmission-time"],
    webhook_id: merchant.webhook_secret,
  };
  const verify = async (event: string, change = {}) => {
    const text = `${JSON.stringify({ ...head, ...change }).slice(0, -1)},"webhook_event":${event}}`;
    const response = await fetch(`${gateways.url}/paypal/v1/notifications/verify-webhook-signature`, {
      method: "POST",
      headers: { Authorization: token },
      body: text,
    });
    return JSON.parse(await response.text());
  };
  expect(await verify(body)).toEqual({ verification_status: "SUCCESS" });
  const failure = { verification_status: "FAILURE" };
  expect(await verify(body.replace("APPROVED", "COMPLETED"))).toEqual(failure);
  expect(await verify(JSON.stringify(JSON.parse(body), null, 1))).toEqual(failure);
  expect(await verify(body, { webhook_id: "ANOTHER" })).toEqual(failure);
  expect(await verify(body, { transmission_time: "2026-01-01T00:00:00Z" })).toEqual(failure);
});

it("finds a member's text however it is nested, spaced and escaped", () => {
  const event = String.raw`{ "webhook_event": [1,{"a":"},\"\\"}],  "ü":"\u00fc" }`;
  expect(
    rawMember(
      `{"a":{"webhook_event":1},"b":"webhook_event", "webhook_event" : ${event} , "c":[{}]}`,
      "webhook_event",
    ),
  ).toBe(event);
  expect(rawMember('{"a":{"webhook_event":1}}', "webhook_event")).toBeUndefined();
});

it.each(signatures.paypal_crc32)("sums $text as PayPal does", (vector) => {
  expect(crc32(vector.text)).toBe(vector.crc32);
});

function isCompleted({ event_type }: { event_type: string }): boolean {
  return event_type === "PAYMENT.CAPTURE.COMPLETED";
}
