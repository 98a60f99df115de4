import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { type Kind, play } from "../../../support/gateways.ts";
import { expectSound, STAMP_BY_HAND } from "../../../support/oracles.ts";
import type { Shop } from "../orders/review.ts";
import { deliver, gatewayOrderOf, getOrder, KINDS, openShop, placeOrder, razorpayEvent } from "../shop.ts";
import { events, invoicesOf, NONE, ONE, shopWithOrder } from "./webhook.ts";

const shops = new Map<string, Shop>();
/** The shop that the tests of one kind of gateway share. */
async function shopOf(kind: Kind): Promise<Shop> {
  const shop = shops.get(kind) ?? (await openShop(kind));
  shops.set(kind, shop);
  return shop;
}

describe.each(KINDS)("a payment through %s", async (kind, currency) => {
  const { company } = await shopOf(kind);
  const open = async () => {
    const placed = await placeOrder(company, { currency });
    return { company, placed, id: gatewayOrderOf(placed) };
  };

  test("turns the order into an invoice that is paid, with its page", async () => {
    const { company, placed, id } = await open();
    const { webhooks } = await play(company, kind, id, "paid");
    expect(webhooks.length).toBeGreaterThan(0);
    expect(webhooks.every((webhook) => "delivered" in webhook && webhook.delivered === true)).toBe(true);
    const order = await getOrder(company, placed.order_id);
    expect(order).toMatchObject({
      status: "invoiced",
      payment_status: "paid",
      invoice_id: expect.stringMatching(/^\d+$/),
      invoice_number: expect.stringMatching(/^INV\//),
      paid_at: expect.any(String),
    });
    const page = await fetch(String(order.invoice_url));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(String(order.invoice_number));
    const invoice = must(await company.call("GET", `/invoices/:company/${order.invoice_id}`), 200).body.data;
    expect(invoice).toMatchObject({
      status: "sent",
      payment_status: "paid",
      source: "storefront",
      sales_order_id: placed.order_id,
      total_amount: placed.total_amount,
      amount_paid: placed.total_amount,
      amount_due: 0,
      currency,
    });
    await expectSound(company);
  });

  // A session of Stripe ends with its first payment.
  if (kind !== "stripe")
    test("of another amount sets the order aside for review, and makes no invoice", async () => {
      const { company, placed, id } = await open();
      await play(company, kind, id, "wrong_amount");
      expect(await getOrder(company, placed.order_id)).toMatchObject({
        status: "draft",
        payment_status: "review",
        invoice_url: null,
      });
      expect(await invoicesOf(company, placed)).toEqual(NONE);
      const status = "SELECT status FROM payment_intents WHERE gateway_order_id = ?";
      expect(await company.rows(status, id)).toEqual([{ status: "mismatch" }]);
      await expectSound(company);
    });

  test("that is made twice makes one invoice, and the order needs a refund, which notifies the company", async () => {
    const { company, placed, id } = await open();
    const told = () =>
      company.rows("SELECT coalesce(sum(count), 0) AS n FROM notifications WHERE rule = 'order_review'");
    const [before] = await told();
    const { payment_ids: ids } = await play(company, kind, id, "twice");
    expect(ids.length).toBe(2);
    expect(await getOrder(company, placed.order_id)).toMatchObject({
      status: "invoiced",
      payment_status: "paid",
      needs_refund: true,
    });
    expect(await told()).toEqual([{ n: Number(before?.n) + 1 }]);
    expect(await invoicesOf(company, placed)).toEqual(ONE);
    await expectSound(company);
  });
});

test("an authorised payment that razorpay does not capture by itself is captured", async () => {
  const { company } = await shopOf("razorpay");
  const placed = await placeOrder(company);
  await play(company, "razorpay", gatewayOrderOf(placed), "authorized");
  expect(await getOrder(company, placed.order_id)).toMatchObject({ payment_status: "paid" });
  await expectSound(company);
});

describe("no money, no invoice", async () => {
  const shop = await shopOf("razorpay");
  const order = async () => ({ ...shop, placed: await placeOrder(shop.company) });

  test.each([
    ["a paisa less was paid", { order: { amount: 9_999, amount_paid: 9_999 } }],
    ["the order is not paid in full", { order: { amount_paid: 5_000, amount_due: 5_000 } }],
    ["another currency was paid", { payment: { currency: "USD" } }],
  ])("%s: the order is set aside", async (_what, fields) => {
    const { company, connected, placed } = await order();
    expect((await deliver(company, connected, razorpayEvent(placed, fields))).status).toBe(200);
    expect((await getOrder(company, placed.order_id)).payment_status).toBe("review");
    expect(await invoicesOf(company, placed)).toEqual(NONE);
    await deliver(company, connected, razorpayEvent(placed));
    // What came first is owed back.
    expect(await getOrder(company, placed.order_id)).toMatchObject({
      payment_status: "paid",
      needs_refund: true,
    });
    await expectSound(company);
  });
});

test("a payment of an order whose customer is gone is quarantined: 200, kept, and the order set aside", async () => {
  const { company, connected, placed } = await shopWithOrder();
  await company.rows("UPDATE sales_orders SET status = 'cancelled'");
  await company.rows(STAMP_BY_HAND);
  must(await company.call("DELETE", "/customers/:company/1"), 200);
  expect((await deliver(company, connected, razorpayEvent(placed))).status).toBe(200);
  expect(await events(company)).toEqual([{ type: "order.paid", outcome: "quarantined" }]);
  expect(await getOrder(company, placed.order_id)).toMatchObject({
    payment_status: "review",
    invoice_id: null,
  });
  await expectSound(company);
});
