import { describe, expect, test } from "vitest";
import { GATEWAYS } from "#providers/payment";
import {
  accountAt,
  answerWith,
  asked,
  forget,
  intent,
  NO_SIGN_IN,
  OPENED,
  open,
  tokens,
  useGateway,
} from "./gateway-calls.ts";

useGateway();

describe("paypal", () => {
  test("gets a fresh token when it took the one it gave back before its time", async () => {
    answerWith(Response.json(OPENED.paypal));
    await open("paypal");
    forget();
    answerWith(Response.json(NO_SIGN_IN, { status: 401 }), Response.json(OPENED.paypal));
    expect((await open("paypal")).gatewayOrderId).toBe("ORDER");
    expect(asked.map(({ headers }) => headers.get("Authorization"))).toEqual([
      `Bearer token-${tokens - 1}`,
      `Bearer token-${tokens}`,
    ]);
    forget();
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
  ])("is seen to have %s", async (_what, answer, state) => {
    answerWith(answer);
    const [seen] = await GATEWAYS.paypal.look(accountAt("paypal"), intent);
    expect(seen).toMatchObject({ state, gatewayOrderId: "ORDER" });
    if (state === "paid")
      expect(seen).toMatchObject({ gatewayPaymentId: "CAP", amount: 35_405, currency: "USD" });
  });

  test("takes the money once: an order that was captured before is looked at", async () => {
    const details = [{ issue: "ORDER_ALREADY_CAPTURED" }];
    answerWith(Response.json({ details }, { status: 422 }), order("COMPLETED", capture("COMPLETED")));
    const agreed = await readEvent("CHECKOUT.ORDER.APPROVED", { id: "ORDER", status: "APPROVED" });
    const taken = await GATEWAYS.paypal.capture(accountAt("paypal"), intent, agreed);
    expect(taken).toMatchObject({ state: "paid", gatewayPaymentId: "CAP" });
    expect(asked.map(({ path }) => path)).toEqual([
      "/v2/checkout/orders/ORDER/capture",
      "/v2/checkout/orders/ORDER",
    ]);
    expect(asked[0]?.headers.get("PayPal-Request-Id")).toBe("cap-7");
    for (const issue of ["INSTRUMENT_DECLINED", "PAYER_ACTION_REQUIRED"]) {
      answerWith(Response.json({ details: [{ issue }] }, { status: 422 }));
      const declined = await GATEWAYS.paypal.capture(accountAt("paypal"), intent, agreed);
      expect(declined.state).toBe("ignored");
    }
  });

  test("asks for the captured order whole, and looks at it where the answer is minimal", async () => {
    const minimal = Response.json({ id: "ORDER", status: "COMPLETED", links: [] }, { status: 201 });
    answerWith(minimal, order("COMPLETED", capture("COMPLETED")));
    const agreed = await readEvent("CHECKOUT.ORDER.APPROVED", { id: "ORDER", status: "APPROVED" });
    const taken = await GATEWAYS.paypal.capture(accountAt("paypal"), intent, agreed);
    expect(asked[0]?.headers.get("Prefer")).toBe("return=representation");
    expect(taken).toMatchObject({ state: "paid", gatewayPaymentId: "CAP", amount: 35_405 });
  });

  async function readEvent(event_type: string, resource: object) {
    const delivery = { headers: new Headers(), body: new Uint8Array(), receivedAt: 0 };
    const event = { id: "WH-1", event_type, create_time: "2026-11-21T09:30:00Z", resource };
    return (await GATEWAYS.paypal.read(accountAt("paypal"), event, delivery)).report;
  }

  test("reports a capture by its order's id, by the link up to it, or by what it was given to remember", async () => {
    const reference = { company: "asha-traders", kind: "order", reference: "12" };
    const related = { supplementary_data: { related_ids: { order_id: "ORDER" } } };
    const up = { links: [{ rel: "up", href: "https://api.example/v2/checkout/orders/ORDER" }] };
    const type = "PAYMENT.CAPTURE.COMPLETED";
    for (const [more, gatewayOrderId] of [
      [related, "ORDER"],
      [up, "ORDER"],
      [{}, null],
    ] as const) {
      const report = await readEvent(type, { ...capture("COMPLETED"), ...more });
      expect(report).toMatchObject({ state: "paid", gatewayOrderId, reference, amount: 35_405 });
    }
  });

  test.each(["DENIED", "DECLINED"])("reports a capture that was %s", async (word) => {
    const report = await readEvent(`PAYMENT.CAPTURE.${word}`, capture("DECLINED"));
    expect(report.state).toBe("failed");
  });

  test.each(["REFUNDED", "REVERSED", "PENDING"])("moves nothing by a capture that was %s", async (word) => {
    const report = await readEvent(`PAYMENT.CAPTURE.${word}`, capture("COMPLETED"));
    expect(report.state).toBe("ignored");
  });
});
