import { expect, test } from "vitest";
import { must, openCompany } from "../../../support/company.ts";
import { connectGateway, gatewayFaults } from "../../../support/gateways.ts";
import { expectSound, rowCounts } from "../../../support/oracles.ts";
import { refusal } from "../../refusal.ts";
import { openShop, placeOrder, postCheckout } from "../shop.ts";

test("where no gateway is active for the currency it is 400 payment_gateway_unavailable, and nothing is stored", async () => {
  const { company, connected } = await openShop("razorpay", { currencies: ["INR"] });
  const before = await rowCounts(company);
  expect(await postCheckout(company, { currency: "USD" })).toMatchObject(
    refusal(400, "payment_gateway_unavailable"),
  );
  must(
    await company.call("PATCH", `/settings/:company/payment-gateways/${connected.id}`, {
      body: { is_active: false },
    }),
    200,
  );
  expect((await postCheckout(company)).status).toBe(400);
  expect(await rowCounts(company)).toMatchObject({ sales_orders: 0, customers: before.customers });
});

test("of several gateways for a currency the one of the lowest priority is used", async () => {
  const company = await openCompany();
  await connectGateway(company, "razorpay", { priority: 20 });
  await connectGateway(company, "stripe", { priority: 10, currencies: ["INR"] });
  await connectGateway(company, "paypal", { priority: 1 });
  expect((await placeOrder(company)).gateway).toBe("stripe");
  expect((await placeOrder(company, { currency: "USD" })).gateway).toBe("paypal");
  expect((await placeOrder(company, { currency: "MYR" })).gateway).toBe("razorpay");
});

test.each([
  { kind: "razorpay" as const, currency: "INR" },
  { kind: "stripe" as const, currency: "INR" },
  { kind: "paypal" as const, currency: "USD" },
])(
  "a $kind that does not answer is 400 payment_gateway_error, and nothing is stored",
  async ({ kind, currency }) => {
    const { company, connected } = await openShop(kind);
    const before = await rowCounts(company);
    await gatewayFaults(company, connected, { refused_call: 1 });
    const answer = await postCheckout(company, { currency });
    expect(answer).toMatchObject({ status: 400, body: { code: "payment_gateway_error" } });
    expect(answer.text).not.toContain(connected.merchant.secret);
    expect(await rowCounts(company)).toEqual(before);
    await gatewayFaults(company, connected, {});
    expect((await placeOrder(company, { currency })).order_number).toMatch(/\/00001$/);
    await expectSound(company);
  },
);
