import { describe, expect, test } from "vitest";
import { openCompany, type TestCompany } from "../../../support/company.ts";
import { connectGateway, gatewayFaults, ordersAt } from "../../../support/gateways.ts";
import { expectSound, rowCounts } from "../../../support/oracles.ts";
import { requestsOf } from "../../../support/round-trips.ts";
import { newCustomer } from "../../commerce.ts";
import { newProduct } from "../../money.ts";
import { refusal } from "../../refusal.ts";
import { getOrder, KINDS, line, openShop, placeOrder, postCheckout, productLine, shopper } from "../shop.ts";

/** The first write of a checkout, not one of its shop's notices. */
const FIRST_WRITE = { writes_only: true, about: "sales_orders", times: 1 };
const CHANGED = { status: 409, body: { code: "catalogue_changed" } };

test("checkout asks its database twice: a read, and one batch with order, payment and the gateway's id", async () => {
  const { company } = await openShop();
  const placed = await placeOrder(company);
  expect(
    await company.rows("SELECT ref_id, status, gateway_order_id FROM payment_intents WHERE id = 1"),
  ).toEqual([{ ref_id: "1", status: "created", gateway_order_id: placed.payment_data.gateway_order_id }]);
  expect(await requestsOf(company, () => placeOrder(company))).toBe(2);
  await expectSound(company);
});

test("a checkout that is refused opens nothing at the gateway", async () => {
  const { company, connected } = await openShop();
  // A checkout that asks the gateway is 400.
  await gatewayFaults(company, connected, { refused_call: 1 });
  expect((await postCheckout(company)).status).toBe(400);
  expect((await postCheckout(company, { items: [{ ...line, product_id: 999 }] })).status).toBe(422);
});

describe("while a checkout is under way", () => {
  /** A shop with one product, whose checkout stays with the gateway while `change` is done. */
  async function checkoutMeanwhile(
    change: (shop: { company: TestCompany; product: string; gateway: string }) => Promise<unknown>,
  ) {
    const { company, connected } = await openShop();
    const items = [await productLine(company)];
    const product = String(items[0]?.product_id);
    await gatewayFaults(company, connected, { slow_call: 1 });
    const answer = postCheckout(company, { items });
    await expect.poll(() => ordersAt(company, connected), { interval: 10 }).toHaveLength(1);
    await change({ company, product, gateway: connected.id });
    const counts = await rowCounts(company);
    return { company, connected, items, answer: await answer, counts };
  }

  test.each([
    ["its price", { selling_price: 101 }],
    ["its tax", { tax_rate: 5 }],
    ["whether its price includes tax", { price_includes_tax: true }],
    ["its status", { status: "inactive" }],
    ["whether shops show it", { is_storefront_visible: false }],
  ])("a product changes %s: 409 catalogue_changed, and nothing is stored", async (_what, change) => {
    const { company, connected, answer, counts } = await checkoutMeanwhile(({ company, product }) =>
      company.change(`/products/:company/${product}`, change),
    );
    expect(answer).toMatchObject(CHANGED);
    expect(await rowCounts(company)).toEqual(counts);
    expect(counts).toMatchObject({ sales_orders: 0, payment_intents: 0, customers: 0 });
    await gatewayFaults(company, connected, {});
    expect((await placeOrder(company)).order_number).toMatch(/\/00001$/);
    await expectSound(company);
  });

  test.each([
    ["is switched off", { is_active: false }],
    ["gets other credentials", { credentials: { key_id: "rzp_test_other", key_secret: "other" } }],
  ])("the gateway's account %s: 409 catalogue_changed, and nothing is stored", async (_what, change) => {
    const { company, answer, counts } = await checkoutMeanwhile(({ company, gateway }) =>
      company.change(`/settings/:company/payment-gateways/${gateway}`, change),
    );
    expect(answer).toMatchObject(CHANGED);
    expect(await rowCounts(company)).toEqual(counts);
  });

  test("the customer that matched is deleted: 409 catalogue_changed, and nothing is stored", async () => {
    const { company } = await openShop();
    const { id } = await newCustomer(company, { email: shopper.email });
    await company.faults({ kind: "delay", delay_ms: 3_000, ...FIRST_WRITE });
    const answer = postCheckout(company);
    // Its read was answered, and its write is held up. Another isolate deletes the customer.
    await expect.poll(() => company.faultsMet(), { interval: 5 }).toBe(1);
    await company.rows("UPDATE customers SET deleted_at = 1 WHERE id = ?", id);
    expect(await answer).toMatchObject(CHANGED);
    expect(await rowCounts(company)).toMatchObject({ sales_orders: 0, payment_intents: 0, customers: 1 });
    expect((await placeOrder(company)).order_number).toMatch(/\/00001$/);
    expect(await rowCounts(company)).toMatchObject({ sales_orders: 1, customers: 2 });
  });

  test("what does not touch the price leaves the checkout alone", async () => {
    const { company, answer } = await checkoutMeanwhile(async ({ company, product }) => {
      await company.change(`/products/:company/${product}`, { name: "Bottle of steel" });
      await newProduct(company, { name: "Another" });
      await connectGateway(company, "stripe", { priority: 1 });
    });
    expect(answer).toMatchObject({ status: 200, body: { gateway: "razorpay", total_amount: 100 } });
    expect((await getOrder(company, answer.body.order_id)).total_amount).toBe(100);
    await expectSound(company);
  });
});

test.each([
  ["is blocked", { kind: "error", code: "BLOCKED" } as const],
  ["refuses our token", { kind: "status", status: 401 } as const],
])("where the database %s, the checkout stores nothing", async (_, fault) => {
  const { company } = await openShop();
  await company.faults({ ...fault, ...FIRST_WRITE });
  expect((await postCheckout(company)).status).toBe(503);
  expect(await rowCounts(company)).toMatchObject({ sales_orders: 0, payment_intents: 0 });
});

test("where the answer of the commit is lost, the order is there once, and its payer can pay", async () => {
  const { company } = await openShop();
  await company.faults({ kind: "reset_after", ...FIRST_WRITE });
  const placed = await placeOrder(company, { customer: shopper });
  expect(await company.rows("SELECT gateway_order_id AS id FROM payment_intents")).toEqual([
    { id: placed.payment_data.gateway_order_id },
  ]);
  expect(await rowCounts(company)).toMatchObject({ sales_orders: 1, payment_intents: 1 });
  await expectSound(company);
});

test("where no gateway is active for the currency it is 400 payment_gateway_unavailable, and nothing is stored", async () => {
  const { company, connected } = await openShop("razorpay", { currencies: ["INR"] });
  const before = await rowCounts(company);
  expect(await postCheckout(company, { currency: "USD" })).toMatchObject(
    refusal(400, "payment_gateway_unavailable"),
  );
  await company.change(`/settings/:company/payment-gateways/${connected.id}`, { is_active: false });
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

test.each(KINDS)(
  "a gateway of the kind %s that does not answer is 400 payment_gateway_error, and nothing is stored",
  async (kind, currency) => {
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
