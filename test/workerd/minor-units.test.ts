import { expect, test } from "vitest";
import { GATEWAYS } from "#providers/payment";
import { accountAt } from "./gateway-calls.ts";

const razorpay = (amount: number, currency: string) => ({
  event: "payment.captured",
  payload: { payment: { entity: { id: "PAY", amount, currency, status: "captured" } } },
});
const stripe = (amount_total: number, currency: string) => {
  const object = { mode: "payment", payment_status: "paid", amount_total, currency: currency.toLowerCase() };
  return { type: "checkout.session.completed", livemode: false, data: { object } };
};
const paypal = (value: string, currency_code: string) => ({
  event_type: "PAYMENT.CAPTURE.COMPLETED",
  resource: { id: "CAP", status: "COMPLETED", amount: { value, currency_code } },
});

test.each([
  ["razorpay", razorpay(500, "JPY"), 50_000],
  ["razorpay", razorpay(1_230, "KWD"), 123],
  ["razorpay", razorpay(1_234, "KWD"), null],
  ["razorpay", razorpay(50_000, "USD"), 50_000],
  ["stripe", stripe(500, "JPY"), 50_000],
  ["stripe", stripe(1_230, "KWD"), 123],
  ["stripe", stripe(50_000, "UGX"), 50_000],
  ["stripe", stripe(50_000, "HUF"), 50_000],
  ["paypal", paypal("500", "JPY"), 50_000],
  ["paypal", paypal("1.230", "TND"), 123],
] as const)(
  "%s: an amount counts in the units of its currency: %j is %j hundredths",
  async (kind, event, amount) => {
    const delivery = { headers: new Headers(), body: new Uint8Array(), receivedAt: 0 };
    const { report } = await GATEWAYS[kind].read(accountAt(kind), event, delivery);
    expect(report).toMatchObject({ state: "paid", amount });
  },
);
