import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { rawMember } from "../../../src/sandbox/gateways/paypal-signature.ts";
import signatures from "../../vectors/signatures.json" with { type: "json" };
import { holdsContract } from "./contract.ts";
import { call, eventsReceived, pay, receiver } from "./harness.ts";
import { newOrder, newPayment, said } from "./payments.ts";

holdsContract("paypal", {
  currency: "USD",
  opens: { once: true, page: true },
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

const orders = "/paypal/v2/checkout/orders";

it("refuses in PayPal's shape", async () => {
  const { order, authorization } = await newOrder("paypal");
  const early = await call(`${orders}/${order}/capture`, authorization, {});
  expect([early.status, said(early)]).toEqual([422, "ORDER_NOT_APPROVED"]);
  const amount = { currency_code: "USD", value: "12.5" };
  const inexact = { intent: "CAPTURE", purchase_units: [{ amount }] };
  const refused = await call(orders, authorization, inexact);
  expect([refused.status, refused.body.details[0].field]).toEqual([400, "/purchase_units/0/amount/value"]);
  expect((await call(orders, "Bearer guessed", inexact)).body.error).toBe("invalid_token");
});

it("has an approved order captured by the merchant, once", async () => {
  const { order, authorization } = await newOrder("paypal");
  const { body } = await pay("paypal", order, "paid");
  expect(body.state).toBe("paid");
  expect(body.webhooks).toMatchObject([
    { event: "CHECKOUT.ORDER.APPROVED", statuses: [200] },
    { event: "PAYMENT.CAPTURE.COMPLETED", statuses: [200] },
  ]);
  const capture = (key: string, headers = {}) =>
    call(`${orders}/${order}/capture`, authorization, {}, { "PayPal-Request-Id": key, ...headers });
  const replayed = await capture("cap-1");
  expect([replayed.status, replayed.body.status]).toEqual([200, "COMPLETED"]);
  // As little as can be, unless asked for more.
  expect(replayed.body).not.toHaveProperty("purchase_units");
  const whole = await capture("cap-1", { Prefer: "return=representation" });
  expect(whole.body.purchase_units[0].payments.captures).toHaveLength(1);
  const again = await capture("cap-2");
  expect([again.status, said(again)]).toEqual([422, "ORDER_ALREADY_CAPTURED"]);
  const { captures } = (await call(`${orders}/${order}`, authorization)).body.purchase_units[0].payments;
  expect(captures).toMatchObject([{ id: body.payment_ids[0], status: "COMPLETED" }]);
});

it("declines the capture of a payment that fails, and lets the payer try again", async () => {
  const { order, authorization } = await newOrder("paypal");
  const captured = receiver.answer;
  const refused: string[] = [];
  receiver.answer = async ({ body }) => {
    if (body.includes("CHECKOUT.ORDER.APPROVED"))
      refused.push(said(await call(`${orders}/${order}/capture`, authorization, {})));
    return 200;
  };
  expect((await pay("paypal", order, "failed")).body.state).toBe("open");
  expect(refused).toEqual(["INSTRUMENT_DECLINED"]);
  expect(eventsReceived()).toEqual(["CHECKOUT.ORDER.APPROVED", "PAYMENT.CAPTURE.DECLINED"]);
  receiver.answer = captured;
  expect((await pay("paypal", order, "paid")).body.state).toBe("paid");
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
