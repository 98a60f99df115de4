import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GATEWAYS, type GatewayAccount, type Payable } from "#providers/payment";
import { GATEWAY_KINDS, type GatewayKind } from "#shared/payments/gateways.ts";

type Asked = {
  path: string;
  headers: Headers;
  body: string;
  redirect: RequestInit["redirect"];
  timed: boolean;
};
type Answer = Response | Error;

const ACCOUNTS: Record<GatewayKind, GatewayAccount["credentials"]> = {
  razorpay: { key_id: "rzp_test_demo", key_secret: "demo" },
  stripe: { secret_key: "sk_test_demo", publishable_key: "pk_test_demo" },
  paypal: { client_id: "demo", client_secret: "demo", webhook_id: "WEBHOOK" },
};
const accountAt = (kind: GatewayKind): GatewayAccount => ({
  mode: "test",
  credentials: ACCOUNTS[kind],
  address: "https://gateway.example",
});
const payable: Payable = {
  intentId: 7,
  company: "asha-traders",
  companyName: "Asha Traders",
  kind: "order",
  refId: "12",
  number: "SO/26-27/00012",
  description: "Order SO/26-27/00012",
  amount: 35_405,
  currency: "USD",
  returnUrl: "https://shop.example.com/thanks?a=1&b=2",
  cancelUrl: "https://shop.example.com/basket",
  customer: { name: "Zoë", email: "zoe@example.com", phone: null },
};
const intent = { id: 7, gatewayOrderId: "ORDER", amount: 35_405, currency: "USD" };
const OPENED: Record<GatewayKind, object> = {
  razorpay: { id: "order_1", amount: 35_405, currency: "USD" },
  stripe: { id: "cs_1", url: "https://pay.example/cs_1", amount_total: 35_405 },
  paypal: { id: "ORDER", links: [{ rel: "payer-action", href: "https://pay.example/ORDER" }] },
};

const NO_SIGN_IN = { error: "invalid_token" };

let asked: Asked[] = [];
let tokens = 0;

/** Lets the gateway answer one request after the other, the last answer for ever. */
function answerWith(...answers: Answer[]): void {
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (url.endsWith("/v1/oauth2/token")) {
      tokens += 1;
      return Response.json({ access_token: `token-${tokens}`, expires_in: 3_600 });
    }
    asked.push({
      path: new URL(url).pathname,
      headers: new Headers(init.headers),
      body: String(init.body),
      redirect: init.redirect,
      timed: init.signal instanceof AbortSignal,
    });
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer?.clone();
  });
}
const open = (kind: GatewayKind) => GATEWAYS[kind].open(accountAt(kind), payable);

beforeEach(() => {
  asked = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("what a gateway is asked for", () => {
  test("razorpay: an order that is captured by itself, and that names what it is for", async () => {
    answerWith(Response.json(OPENED.razorpay));
    expect((await open("razorpay")).paymentData).toEqual({
      key_id: "rzp_test_demo",
      razorpay_order_id: "order_1",
      amount: 35_405,
      currency: "USD",
      name: "Asha Traders",
      prefill: { name: "Zoë", email: "zoe@example.com", contact: null },
      gateway_order_id: "order_1",
    });
    expect(asked[0]?.path).toBe("/v1/orders");
    expect(asked[0]?.headers.get("Authorization")).toBe(`Basic ${btoa("rzp_test_demo:demo")}`);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      amount: 35_405,
      currency: "USD",
      receipt: "SO/26-27/00012",
      notes: { company: "asha-traders", kind: "order", ref_id: "12" },
      payment: {
        capture: "automatic",
        capture_options: {
          automatic_expiry_period: 12,
          manual_expiry_period: 7_200,
          refund_speed: "optimum",
        },
      },
    });
  });

  test("stripe: a session over one line, the same for every attempt", async () => {
    answerWith(Response.json(OPENED.stripe));
    expect(await open("stripe")).toEqual({
      gatewayOrderId: "cs_1",
      paymentUrl: "https://pay.example/cs_1",
      paymentData: {
        session_id: "cs_1",
        checkout_url: "https://pay.example/cs_1",
        publishable_key: "pk_test_demo",
        gateway_order_id: "cs_1",
      },
    });
    expect(asked[0]?.path).toBe("/v1/checkout/sessions");
    expect(asked[0]?.headers.get("Idempotency-Key")).toBe("pi-asha-traders-7");
    expect(asked[0]?.headers.get("Stripe-Version")).toMatch(/^\d{4}-\d\d-\d\d\./);
    const named = { company: "asha-traders", kind: "order", ref_id: "12" };
    const metadata = Object.entries(named).flatMap(([name, value]) => [
      [`metadata[${name}]`, value],
      [`payment_intent_data[metadata][${name}]`, value],
    ]);
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      mode: "payment",
      success_url: payable.returnUrl,
      cancel_url: payable.cancelUrl,
      client_reference_id: "asha-traders:order:12",
      customer_email: "zoe@example.com",
      "line_items[0][quantity]": "1",
      "line_items[0][price_data][currency]": "usd",
      "line_items[0][price_data][unit_amount]": "35405",
      "line_items[0][price_data][product_data][name]": "Order SO/26-27/00012",
      ...Object.fromEntries(metadata),
    });
  });

  test("paypal: an order to be captured, the same for every attempt", async () => {
    answerWith(Response.json(OPENED.paypal));
    expect(await open("paypal")).toMatchObject({
      gatewayOrderId: "ORDER",
      paymentUrl: "https://pay.example/ORDER",
      paymentData: {
        paypal_order_id: "ORDER",
        client_id: "demo",
        currency: "USD",
        gateway_order_id: "ORDER",
      },
    });
    expect(asked[0]?.path).toBe("/v2/checkout/orders");
    expect(asked[0]?.headers.get("PayPal-Request-Id")).toBe("pi-asha-traders-7");
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      intent: "CAPTURE",
      purchase_units: [
        {
          reference_id: "default",
          custom_id: "asha-traders:order:12",
          description: "Order SO/26-27/00012",
          amount: { currency_code: "USD", value: "354.05" },
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
  });
});

describe.each(GATEWAY_KINDS)("%s", (kind) => {
  test("is asked a second time, and no third, when it gives no usable answer", async () => {
    for (const silence of [
      new TypeError("reset"),
      Response.json({}, { status: 503 }),
      new Response("<html>"),
    ]) {
      asked = [];
      answerWith(silence, Response.json(OPENED[kind]));
      expect((await open(kind)).gatewayOrderId).toBe(Object(OPENED[kind]).id);
      expect(asked).toHaveLength(2);
      expect(asked[1]).toEqual(asked[0]);
      asked = [];
      answerWith(silence);
      await expect(open(kind)).rejects.toMatchObject({ name: "GatewayError", retry: true });
      expect(asked).toHaveLength(2);
    }
  });

  test("is not asked again once it refused; it leads nowhere else, and is waited for so long only", async () => {
    for (const refusal of [
      Response.json({ name: "INVALID_REQUEST" }, { status: 400 }),
      new Response(null, { status: 302, headers: { Location: "https://elsewhere.example" } }),
    ]) {
      asked = [];
      answerWith(refusal);
      await expect(open(kind)).rejects.toMatchObject({ name: "GatewayError", retry: false });
      expect(asked).toMatchObject([{ redirect: "manual", timed: true }]);
    }
  });

  test("is not believed when it answers without end, or opened something else", async () => {
    answerWith(Response.json({ ...OPENED[kind], padding: "x".repeat(1_100_000) }));
    await expect(open(kind)).rejects.toMatchObject({ name: "GatewayError" });
    answerWith(Response.json({ ...OPENED[kind], amount: 1, amount_total: 1, links: [] }));
    await expect(open(kind)).rejects.toMatchObject({ name: "GatewayError", retry: false });
  });
});

describe("paypal", () => {
  test("gets a fresh token when it took the one it gave back before its time", async () => {
    answerWith(Response.json(OPENED.paypal));
    await open("paypal");
    asked = [];
    answerWith(Response.json(NO_SIGN_IN, { status: 401 }), Response.json(OPENED.paypal));
    expect((await open("paypal")).gatewayOrderId).toBe("ORDER");
    expect(asked.map(({ headers }) => headers.get("Authorization"))).toEqual([
      `Bearer token-${tokens - 1}`,
      `Bearer token-${tokens}`,
    ]);
    asked = [];
    answerWith(Response.json(NO_SIGN_IN, { status: 401 }));
    await expect(open("paypal")).rejects.toMatchObject({ reason: "invalid_token" });
    expect(asked).toHaveLength(2);
  });

  const capture = (status: string, id = "CAP") => ({
    id,
    status,
    amount: { currency_code: "USD", value: "354.05" },
    custom_id: "asha-traders:order:12",
  });
  const order = (status: string, ...captures: object[]) =>
    Response.json({ id: "ORDER", status, purchase_units: [{ payments: { captures } }] });

  test.each([
    [
      "the money that came after a decline",
      order("COMPLETED", capture("DECLINED", "NO"), capture("COMPLETED")),
      "paid",
    ],
    ["a new agreement after a decline", order("APPROVED", capture("DECLINED")), "capture"],
    ["a decline", order("PAYER_ACTION_REQUIRED", capture("DECLINED")), "failed"],
    ["money on its way", order("COMPLETED", capture("PENDING")), "ignored"],
    ["money that was given back", order("COMPLETED", capture("REFUNDED")), "ignored"],
    ["nothing", order("PAYER_ACTION_REQUIRED"), "ignored"],
  ])("is seen to have %s", async (_what, answer, outcome) => {
    answerWith(answer);
    const seen = await GATEWAYS.paypal.look(accountAt("paypal"), intent);
    expect(seen).toMatchObject({ outcome, gatewayOrderId: "ORDER" });
    if (outcome === "paid")
      expect(seen).toMatchObject({ gatewayPaymentId: "CAP", amount: 35_405, currency: "USD" });
  });

  test("takes the money once: an order that was captured before is looked at", async () => {
    const details = [{ issue: "ORDER_ALREADY_CAPTURED" }];
    answerWith(Response.json({ details }, { status: 422 }), order("COMPLETED", capture("COMPLETED")));
    const agreed = await readEvent("CHECKOUT.ORDER.APPROVED", { id: "ORDER", status: "APPROVED" });
    const taken = await GATEWAYS.paypal.capture(accountAt("paypal"), intent, agreed);
    expect(taken).toMatchObject({ outcome: "paid", gatewayPaymentId: "CAP" });
    expect(asked.map(({ path }) => path)).toEqual([
      "/v2/checkout/orders/ORDER/capture",
      "/v2/checkout/orders/ORDER",
    ]);
    expect(asked[0]?.headers.get("PayPal-Request-Id")).toBe("cap-7");
    for (const issue of ["INSTRUMENT_DECLINED", "PAYER_ACTION_REQUIRED"]) {
      answerWith(Response.json({ details: [{ issue }] }, { status: 422 }));
      const declined = await GATEWAYS.paypal.capture(accountAt("paypal"), intent, agreed);
      expect(declined.outcome).toBe("ignored");
    }
  });

  async function readEvent(event_type: string, resource: object) {
    const delivery = { headers: new Headers(), body: new Uint8Array(), receivedAt: 0 };
    const event = { id: "WH-1", event_type, create_time: "2026-11-21T09:30:00Z", resource };
    return (await GATEWAYS.paypal.read(accountAt("paypal"), event, delivery)).outcome;
  }

  test("tells of a capture by its order's id, by the link up to it, or by what it was given to remember", async () => {
    const reference = { company: "asha-traders", kind: "order", refId: "12" };
    const related = { supplementary_data: { related_ids: { order_id: "ORDER" } } };
    const up = { links: [{ rel: "up", href: "https://api.example/v2/checkout/orders/ORDER" }] };
    const type = "PAYMENT.CAPTURE.COMPLETED";
    for (const [more, gatewayOrderId] of [
      [related, "ORDER"],
      [up, "ORDER"],
      [{}, null],
    ] as const) {
      const outcome = await readEvent(type, { ...capture("COMPLETED"), ...more });
      expect(outcome).toMatchObject({ outcome: "paid", gatewayOrderId, reference, amount: 35_405 });
    }
  });

  test.each(["DENIED", "DECLINED"])("tells of a capture that was %s", async (word) => {
    const outcome = await readEvent(`PAYMENT.CAPTURE.${word}`, capture("DECLINED"));
    expect(outcome.outcome).toBe("failed");
  });

  test.each(["REFUNDED", "REVERSED", "PENDING"])("moves nothing by a capture that was %s", async (word) => {
    const outcome = await readEvent(`PAYMENT.CAPTURE.${word}`, capture("COMPLETED"));
    expect(outcome.outcome).toBe("ignored");
  });
});
