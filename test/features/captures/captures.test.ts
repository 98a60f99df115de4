import { beforeEach, describe, expect, test } from "vitest";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { expectWhole, pay, resolved, type Shop } from "../storefront/orders/review.ts";
import { gatewayOrderOf, getOrder, openShop, placeOrder } from "../storefront/shop.ts";
import { balancesOf, capturesOf } from "./captures.ts";

const CLEARING = "Razorpay Clearing";
const ADVANCES = "Customer Advances";

describe("what a gateway took is in the books from the day on which it came", () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await openShop();
  });
  const taken = () => capturesOf(shop.company);
  const booked = () => balancesOf(shop.company);

  test("another amount is an advance, until the staff have given it back", async () => {
    const placed = await placeOrder(shop.company);
    await play(shop.company, "razorpay", gatewayOrderOf(placed), "wrong_amount");
    expect(await taken()).toEqual(["mismatch 9999 advance 9999"]);
    expect(await booked()).toEqual({ [CLEARING]: 99.99, [ADVANCES]: -99.99 });
    await resolved(shop, placed.order_id, { action: "dismiss", outside_reference: "rfnd_1" });
    expect(await taken()).toEqual(["mismatch 9999 settled 0"]);
    expect(await booked()).toEqual({});
    await expectWhole(shop);
  });

  test("a second payment is an advance, and may be given back from the bank", async () => {
    const placed = await placeOrder(shop.company);
    await play(shop.company, "razorpay", gatewayOrderOf(placed), "twice");
    expect(await taken()).toEqual(["paid 10000 invoiced 0", "duplicate_payment 10000 advance 10000"]);
    expect(await booked()).toEqual({ [CLEARING]: 200, [ADVANCES]: -100, Sales: -100 });
    const body = { action: "dismiss", outside_reference: "UTR 4711", payment_mode_id: 2 };
    await resolved(shop, placed.order_id, { ...body, note: "Paid twice." });
    const [audited] = await shop.company.rows("SELECT note FROM audit_log ORDER BY id DESC LIMIT 1");
    expect(audited).toEqual({ note: "Paid twice.\noutside_reference: UTR 4711" });
    expect(await booked()).toEqual({ [CLEARING]: 200, Bank: -100, Sales: -100 });
    const [entry] = await shop.company.rows("SELECT narration FROM journal_entries ORDER BY id DESC LIMIT 1");
    expect(entry?.narration).toMatch(/^Settlement of pay_\w+ through razorpay: UTR 4711$/);
    await expectWhole(shop);
  });

  test("a fee that the payer bore is income, and more than a fee is an advance", async () => {
    for (const amount of [10_354, 10_355]) await pay(shop, await placeOrder(shop.company), { amount });
    expect(await taken()).toEqual(["paid 10354 invoiced 0", "paid 10355 advance 355"]);
    expect(await booked()).toEqual({
      [CLEARING]: 207.09,
      [ADVANCES]: -3.55,
      "Payment Gateway Charges": -3.54,
      Sales: -200,
    });
    await expectWhole(shop);
  });
});

const shop = await openShop();

test("an advance that cannot be posted is unposted, with the reason", async () => {
  await shop.company.rows("UPDATE accounts SET is_active = 0 WHERE system_key = 'customer_advances'");
  await pay(shop, await placeOrder(shop.company), { id: "pay_short", amount: 50 });
  expect(await shop.company.read("/ledger/:company/unposted")).toMatchObject([
    { source_type: "advance", number: "pay_short", amount: 0.5, currency: "INR", reason: "account_inactive" },
  ]);
  await shop.company.rows("UPDATE accounts SET is_active = 1 WHERE system_key = 'customer_advances'");
  await expectSound(shop.company);
});

test("nothing that a gateway reports is refused, whatever it says of the amount", async () => {
  const before = (await capturesOf(shop.company)).length;
  for (const payment of [
    { amount: null },
    { amount: -5 },
    { amount: 9_007_199_254_740_991 },
    { currency: null },
  ])
    await pay(shop, await placeOrder(shop.company), payment);
  expect((await capturesOf(shop.company)).length).toBe(before + 4);
  await expectSound(shop.company);
});

test.each([{ amount: 0 }, { amount: 0.4 }, { amount: -5 }])(
  "a second payment of $amount paise leaves nothing due, nor does one before the exact payment",
  async (odd) => {
    const [paidFirst, oddFirst] = [await placeOrder(shop.company), await placeOrder(shop.company)];
    for (const payment of [{}, odd]) await pay(shop, paidFirst, payment);
    for (const payment of [odd, {}]) await pay(shop, oddFirst, payment);
    for (const { order_id: id } of [paidFirst, oddFirst])
      expect(await getOrder(shop.company, id)).toMatchObject({ payment_status: "paid", needs_refund: false });
    // What is more than nothing is due still.
    await pay(shop, paidFirst, { amount: 1 });
    expect(await getOrder(shop.company, paidFirst.order_id)).toMatchObject({ needs_refund: true });
    await expectSound(shop.company);
  },
);
