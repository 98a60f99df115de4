import { expect, test } from "vitest";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf } from "../commerce.ts";
import { gatewayOrderOf, getOrder, KINDS, openShop, placeOrder } from "./shop.ts";

const MINUTE = 60;

test.each(KINDS)(
  "a payment through %s whose events never came is found by asking",
  async (kind, currency) => {
    const { company, connected } = await openShop(kind);
    // Events go where nobody takes them.
    await fetch(`${company.gatewaysUrl}/pay/merchants`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...connected.merchant, webhook_url: `${company.url}/nowhere` }),
    });
    const placed = await placeOrder(company, { currency });
    await play(company, kind, gatewayOrderOf(placed), "paid");
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("unpaid");

    await company.clock(16 * MINUTE);
    await company.sweep(async () => (await getOrder(company, placed.order_id)).payment_status === "paid");
    await expectSound(company);
  },
);

test("an order that nobody pays within a day is cancelled, and paid after all it is invoiced", async () => {
  const { company } = await openShop();
  const placed = await placeOrder(company);
  await company.clock(16 * MINUTE);
  await company.sweep(async () => {
    const [intent] = await rowsOf(
      company,
      "SELECT next_look_at > created_at + 900000 AS later FROM payment_intents",
    );
    return intent?.later === 1;
  });
  expect((await getOrder(company, placed.order_id)).status).toBe("draft");

  await company.clock(25 * 60 * MINUTE);
  await company.sweep(async () => (await getOrder(company, placed.order_id)).status === "cancelled");
  await play(company, "razorpay", gatewayOrderOf(placed), "paid");
  expect(await getOrder(company, placed.order_id)).toMatchObject({
    status: "invoiced",
    payment_status: "paid",
  });
  await expectSound(company);
});
