import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { check, rowsAsWritten, sentences, tamper } from "../../tenancy/companies/self-check.ts";
import { rowsOf } from "../commerce.ts";
import { refund, voidInvoice } from "../money.ts";
import { expectWhole, free, pay, resolved, type Shop } from "../storefront/orders/review.ts";
import { gatewayOrderOf, getOrder, openShop, placeOrder } from "../storefront/shop.ts";
import { balancesOf, capturesOf } from "./captures.ts";

let shop: Shop;
// What the tests before have left in the company that all but the last suite share.
let earlier: { captures: number; balances: Record<string, number> };
beforeAll(async () => {
  shop = await openShop();
});

/** The captures of this test. */
async function taken(): Promise<string[]> {
  return (await capturesOf(shop.company)).slice(earlier.captures);
}

/** What this test has added to each account. */
async function booked(): Promise<Record<string, number>> {
  const now = await balancesOf(shop.company);
  const names = Object.keys({ ...earlier.balances, ...now });
  const added = names.map((name) => [name, minor(now[name]) - minor(earlier.balances[name])] as const);
  return Object.fromEntries(added.filter(([, sum]) => sum !== 0).map(([name, sum]) => [name, sum / 100]));
}

const minor = (amount = 0) => Math.round(amount * 100);

const CLEARING = "Razorpay Clearing";
const ADVANCES = "Customer Advances";

describe("what a gateway took is in the books from the day on which it came", () => {
  beforeEach(async () => {
    const [captures, balances] = await Promise.all([capturesOf(shop.company), balancesOf(shop.company)]);
    earlier = { captures: captures.length, balances };
  });

  test("an exact payment of an order is invoiced, and nothing of it waits", async () => {
    const placed = await placeOrder(shop.company);
    await play(shop.company, "razorpay", gatewayOrderOf(placed), "paid");
    expect(await taken()).toEqual(["paid 10000 invoiced 0"]);
    expect(await rowsOf(shop.company, "SELECT fee, method FROM gateway_captures ORDER BY id")).toEqual([
      { fee: 200, method: "upi" },
    ]);
    expect(await booked()).toEqual({ [CLEARING]: 100, Sales: -100 });
    await expectSound(shop.company);
  });

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
    await resolved(shop, placed.order_id, body);
    expect(await booked()).toEqual({ [CLEARING]: 200, Bank: -100, Sales: -100 });
    const [entry] = await rowsOf(
      shop.company,
      "SELECT narration FROM journal_entries ORDER BY id DESC LIMIT 1",
    );
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

  test("an order in review is an advance, which its invoice takes", async () => {
    const placed = await placeOrder(shop.company, { items: [free(1_000)], tax_amount: 450 });
    await pay(shop, placed);
    expect(await booked()).toEqual({ [CLEARING]: 1450, [ADVANCES]: -1450 });
    await resolved(shop, placed.order_id, { action: "invoice", tax_amount: 0 });
    expect(await taken()).toEqual(["paid 145000 invoiced 0"]);
    expect(await booked()).toEqual({ [CLEARING]: 1450, Sales: -1450 });
    await expectWhole(shop);
  });

  test.each(["void", "refund"])(
    "a %s of what it paid moves no money: it is an advance again",
    async (how) => {
      const placed = await placeOrder(shop.company);
      await pay(shop, placed);
      const { invoice_id: invoiceId } = await getOrder(shop.company, placed.order_id);
      const [payment] = await rowsOf(shop.company, "SELECT id FROM payments ORDER BY id DESC LIMIT 1");
      must(
        how === "void"
          ? await voidInvoice(shop.company, String(invoiceId))
          : await refund(shop.company, String(payment?.id)),
        200,
      );
      expect(await taken()).toEqual(["paid 10000 advance 10000"]);
      expect(await booked()).toMatchObject({ [CLEARING]: 100, [ADVANCES]: -100 });
      await expectWhole(shop);
    },
  );
});

test("an advance that cannot be posted is unposted, with the reason", async () => {
  await rowsOf(shop.company, "UPDATE accounts SET is_active = 0 WHERE system_key = 'customer_advances'");
  await pay(shop, await placeOrder(shop.company), { id: "pay_short", amount: 50 });
  const listed = await shop.company.call("GET", "/ledger/:company/unposted");
  expect(listed.body.data).toMatchObject([
    { source_type: "advance", number: "pay_short", amount: 0.5, currency: "INR", reason: "account_inactive" },
  ]);
  await rowsOf(shop.company, "UPDATE accounts SET is_active = 1 WHERE system_key = 'customer_advances'");
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

describe("a change by hand is named", () => {
  // Puts back what the change before has changed.
  let whole: string[];
  beforeAll(async () => {
    shop = await openShop();
    await pay(shop, await placeOrder(shop.company), { amount: 50 });
    expect(sentences(await check(shop.company))).toEqual([]);
    whole = await rowsAsWritten(shop.company, ["advances", "gateway_captures", "journal_lines"]);
  });

  test.each([
    ["an advance without its entry", "DELETE FROM advances", "went into Customer Advances"],
    ["an amount", "UPDATE gateway_captures SET amount = amount + 1", "went into Customer Advances"],
    ["what is invoiced", "UPDATE gateway_captures SET invoiced_amount = 1", "a capture is invoiced as"],
    ["what is settled", "UPDATE gateway_captures SET settled_amount = 1", "a capture is invoiced as"],
    [
      "the amount of an entry",
      "UPDATE journal_lines SET debit = 2 * debit, credit = 2 * credit",
      "the entry of an advance",
    ],
    ["an advance that is paid out unseen", "UPDATE advances SET kind = 'settled'", "Customer Advances holds"],
    [
      "whose capture it is",
      "UPDATE gateway_captures SET gateway_payment_id = 'pay_other'",
      "every event of money its capture",
    ],
  ])("%s", async (_what, change, sentence) => {
    await tamper(shop.company, [...whole, change]);
    expect(sentences(await check(shop.company)).join()).toContain(sentence);
  });
});
