import { describe, expect, test } from "vitest";
import { GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { answerWith, asked, forget, OPENED, open, payable, useGateway } from "./gateway-calls.ts";

useGateway();

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
      receipt: payable.reference,
      notes: { company: "asha-traders", kind: "order", reference: payable.reference },
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
    expect(asked[0]?.headers.get("Idempotency-Key")).toBe(payable.reference);
    expect(asked[0]?.headers.get("Stripe-Version")).toMatch(/^\d{4}-\d\d-\d\d\./);
    const named = { company: "asha-traders", kind: "order", reference: payable.reference };
    const metadata = Object.entries(named).flatMap(([name, value]) => [
      [`metadata[${name}]`, value],
      [`payment_intent_data[metadata][${name}]`, value],
    ]);
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      mode: "payment",
      success_url: payable.returnUrl,
      cancel_url: payable.cancelUrl,
      client_reference_id: `asha-traders:order:${payable.reference}`,
      customer_email: "zoe@example.com",
      "line_items[0][quantity]": "1",
      "line_items[0][price_data][currency]": "usd",
      "line_items[0][price_data][unit_amount]": "35405",
      "line_items[0][price_data][product_data][name]": "Asha Traders",
      "metadata[returns_to]": payable.returnsTo,
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
    expect(asked[0]?.headers.get("PayPal-Request-Id")).toBe(payable.reference);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      intent: "CAPTURE",
      purchase_units: [
        {
          reference_id: payable.returnsTo,
          custom_id: `asha-traders:order:${payable.reference}`,
          description: "Asha Traders",
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
      forget();
      answerWith(silence, Response.json(OPENED[kind]));
      expect((await open(kind)).gatewayOrderId).toBe(Object(OPENED[kind]).id);
      expect(asked).toHaveLength(2);
      expect(asked[1]).toEqual(asked[0]);
      forget();
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
      forget();
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
