import { describe, expect, test } from "vitest";
import { GATEWAYS } from "#providers/payment";
import { GATEWAY_KINDS, type GatewayKind } from "#shared/payments/gateways.ts";
import { accountAt, answerWith, asked, forget, useGateway } from "./gateway-calls.ts";
import { KEY, LIST, order, REPORT, WRITE } from "./refund-entities.ts";

useGateway();

const refund = (kind: GatewayKind, of = order) => GATEWAYS[kind].refund(accountAt(kind), of);
const look = (kind: GatewayKind, of = order) => GATEWAYS[kind].lookRefunds(accountAt(kind), of);
const refused = (status: number, body: object) => Response.json(body, { status });

describe("what a gateway is asked for to give money back", () => {
  test("razorpay: a part of the payment, with the key as header and receipt", async () => {
    answerWith(Response.json(WRITE.razorpay()));
    await refund("razorpay");
    expect(asked[0]?.path).toBe("/v1/payments/PAY/refund");
    expect(asked[0]?.headers.get("X-Refund-Idempotency")).toBe(KEY);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      amount: 35_405,
      speed: "normal",
      receipt: KEY,
      notes: { company: "asha-traders", refund: KEY },
    });
  });

  test("razorpay: as fast as the payer's bank can", async () => {
    answerWith(Response.json(WRITE.razorpay()));
    await refund("razorpay", { ...order, isInstant: true });
    expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({ speed: "optimum" });
  });

  test("stripe: a part of the payment intent, with the key as header and metadata, and its reason", async () => {
    answerWith(Response.json(WRITE.stripe()));
    await refund("stripe");
    await refund("stripe", { ...order, isDuplicate: true });
    expect(asked[0]?.path).toBe("/v1/refunds");
    expect(asked[0]?.headers.get("Idempotency-Key")).toBe(KEY);
    const bodies = asked.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(bodies[0]).toEqual({
      payment_intent: "PAY",
      amount: "35405",
      reason: "requested_by_customer",
      "metadata[company]": "asha-traders",
      "metadata[refund]": KEY,
    });
    expect(bodies[1]).toEqual({ ...bodies[0], reason: "duplicate" });
  });

  test("paypal: a part of the capture, answered whole, with the key as request id and custom id", async () => {
    answerWith(Response.json(WRITE.paypal(), { status: 201 }));
    await refund("paypal");
    expect(asked[0]?.path).toBe("/v2/payments/captures/PAY/refund");
    expect(asked[0]?.headers.get("PayPal-Request-Id")).toBe(KEY);
    expect(asked[0]?.headers.get("Prefer")).toBe("return=representation");
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      amount: { value: "354.05", currency_code: "USD" },
      custom_id: KEY,
    });
  });
});

const STATES: [GatewayKind, string, object][] = [
  ["razorpay", "processed", { state: "succeeded" }],
  ["razorpay", "pending", { state: "pending" }],
  ["razorpay", "failed", { state: "failed", failureCode: "failed" }],
  ["stripe", "succeeded", { state: "succeeded" }],
  ["stripe", "pending", { state: "pending" }],
  ["stripe", "requires_action", { state: "pending" }],
  ["stripe", "failed", { state: "failed", failureCode: "failed" }],
  ["stripe", "canceled", { state: "failed", failureCode: "canceled" }],
  ["paypal", "COMPLETED", { state: "succeeded" }],
  ["paypal", "PENDING", { state: "pending" }],
  ["paypal", "FAILED", { state: "failed", failureCode: "FAILED" }],
  ["paypal", "CANCELLED", { state: "failed", failureCode: "CANCELLED" }],
];

test.each(STATES)(
  "%s: a refund that is %s is known as such, answered or looked at",
  async (kind, status, said) => {
    answerWith(Response.json(WRITE[kind]({ status })));
    expect(await refund(kind)).toEqual({ ...REPORT, ...said });
    forget();
    answerWith(Response.json(LIST[kind](WRITE[kind]({ status }))));
    expect(await look(kind)).toEqual([{ ...REPORT, type: "look", ...said }]);
  },
);

const [WHOLE, CHARGED] = ["The payment has been fully refunded already", "charge_already_refunded"];
const [TOO_MUCH, CAPTURED] = ["Refund amount is greater", "CAPTURE_FULLY_REFUNDED"];
const type = "invalid_request_error";
const REFUSALS: [GatewayKind, Response, string][] = [
  ["razorpay", refused(400, { error: { code: "BAD_REQUEST_ERROR", description: WHOLE } }), WHOLE],
  ["stripe", refused(400, { error: { code: CHARGED, message: "Charge ch_1 has been", type } }), CHARGED],
  ["stripe", refused(400, { error: { message: TOO_MUCH, param: "amount", type } }), TOO_MUCH],
  ["paypal", refused(422, { name: "UNPROCESSABLE_ENTITY", details: [{ issue: CAPTURED }] }), CAPTURED],
];
test.each(REFUSALS)("%s: a refusal is final, in the gateway's own words", async (kind, answer, reason) => {
  answerWith(answer);
  await expect(refund(kind)).rejects.toMatchObject({ name: "GatewayError", retry: false, reason });
  expect(asked).toHaveLength(1);
});

test("razorpay: a refusal because the payment is worked at by another request is not final", async () => {
  const description = "Request failed because another payment operation is in progress";
  answerWith(refused(400, { error: { code: "BAD_REQUEST_ERROR", description } }));
  await expect(refund("razorpay")).rejects.toMatchObject({ name: "GatewayError", retry: true });
});

const UNKNOWN_ACCOUNT: Record<GatewayKind, object> = {
  razorpay: { error: { code: "BAD_REQUEST_ERROR", description: "Authentication failed" } },
  stripe: { error: { message: "Invalid API Key provided: sk_test_***", type } },
  paypal: { name: "NOT_AUTHORIZED", details: [{ issue: "PERMISSION_DENIED" }] },
};

describe.each(GATEWAY_KINDS)("%s", (kind) => {
  test("is asked once more with the same key when it gives no answer, or still works at the first", async () => {
    for (const silence of [
      new TypeError("reset"),
      refused(503, {}),
      refused(409, { name: "CONFLICT" }),
      new Response("<html>"),
    ]) {
      forget();
      answerWith(silence, Response.json(WRITE[kind]()));
      expect(await refund(kind)).toEqual(REPORT);
      expect(asked).toHaveLength(2);
      expect(asked[1]).toEqual(asked[0]);
      forget();
      answerWith(silence);
      await expect(refund(kind)).rejects.toMatchObject({ name: "GatewayError", retry: true });
      expect(asked).toHaveLength(2);
    }
  });

  test("is not known to have refused where an attempt before was not answered", async () => {
    for (const [, refusal] of [...REFUSALS, [kind, refused(401, UNKNOWN_ACCOUNT[kind])] as const]) {
      forget();
      answerWith(new TypeError("reset"), refusal);
      await expect(refund(kind)).rejects.toMatchObject({ name: "GatewayError", retry: true });
    }
  });

  test("is not known to have refused where what answers uses no words of its own", async () => {
    for (const answer of [
      new Response("<html>", { status: 403 }),
      new Response(null, { status: 302, headers: { Location: "https://elsewhere.example" } }),
      refused(404, {}),
    ]) {
      forget();
      answerWith(answer);
      await expect(refund(kind)).rejects.toMatchObject({ name: "GatewayError", retry: true });
      await expect(look(kind)).rejects.toMatchObject({ name: "GatewayError", retry: true });
    }
  });

  test("refuses an account's credentials, to refund and to look", async () => {
    for (const status of [401, 403]) {
      answerWith(refused(status, UNKNOWN_ACCOUNT[kind]));
      const refusal = { name: "GatewayError", retry: false, reason: "credentials" };
      await expect(refund(kind)).rejects.toMatchObject(refusal);
      await expect(look(kind)).rejects.toMatchObject(refusal);
    }
  });

  test("leaves the outcome unknown when it answers another refund than the one ordered", async () => {
    for (const other of [
      WRITE[kind]({ amount: 35_404 }),
      WRITE[kind]({ payment: "OTHER" }),
      WRITE[kind]({ key: "rf-01KAJ7Q3M8Z5T1V9B2C4D6F8GJ" }),
      { id: "R1", status: "COMPLETED" },
    ]) {
      answerWith(Response.json(other));
      await expect(refund(kind)).rejects.toMatchObject({ name: "GatewayError", retry: true });
    }
    answerWith(Response.json(WRITE[kind]()));
    const inEuros = refund(kind, { ...order, currency: "EUR" });
    await expect(inEuros).rejects.toMatchObject({ name: "GatewayError", retry: true });
  });

  test("lists its console's refunds too, which bear no key of ours", async () => {
    answerWith(
      Response.json(LIST[kind](WRITE[kind]({ id: "R2", amount: 100, key: "No. 31" }), WRITE[kind]())),
    );
    expect(await look(kind)).toEqual([
      { ...REPORT, type: "look", gatewayRefundId: "R2", amount: 100, key: null },
      { ...REPORT, type: "look" },
    ]);
    answerWith(Response.json(LIST[kind]()));
    expect(await look(kind)).toEqual([]);
  });
});

test("razorpay and stripe list a hundred refunds of a payment, of which they give ten by themselves", async () => {
  answerWith(Response.json({}));
  await look("razorpay");
  await look("stripe");
  expect(asked.map(({ path, query }) => path + query)).toEqual([
    "/v1/payments/PAY/refunds?count=100",
    "/v1/refunds?limit=100&payment_intent=PAY",
  ]);
});

test("paypal lists the refunds of the capture only, in the order that the capture names", async () => {
  const related = Response.json({ id: "PAY", supplementary_data: { related_ids: { order_id: "ORDER" } } });
  const list = LIST.paypal(WRITE.paypal({ id: "R2", payment: "OTHER" }), WRITE.paypal());
  answerWith(related, Response.json(list));
  expect(await look("paypal", { ...order, gatewayOrderId: null })).toEqual([{ ...REPORT, type: "look" }]);
  expect(asked.map(({ path }) => path)).toEqual(["/v2/payments/captures/PAY", "/v2/checkout/orders/ORDER"]);
  answerWith(Response.json({ id: "PAY" }));
  const without = look("paypal", { ...order, gatewayOrderId: null });
  await expect(without).rejects.toMatchObject({ name: "GatewayError", retry: true });
});
