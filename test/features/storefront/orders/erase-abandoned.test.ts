import { expect, test, vi } from "vitest";
import { must, type TestCompany } from "../../../support/company.ts";
import { play } from "../../../support/gateways.ts";
import { expectSound, STAMP_BY_HAND } from "../../../support/oracles.ts";
import {
  deliver,
  gatewayOrderOf,
  getOrder,
  openShop,
  placeOrder,
  placeOrders,
  razorpayEvent,
} from "../shop.ts";
import { pay, resolve } from "./review.ts";

const DAY = 86_400;

const idsIn = async (company: TestCompany, select: string) =>
  (await company.rows(select)).map((row) => Object.values(row)[0]);

/** Waits until the gateway was asked, and the order counts as abandoned. */
function givenUp(company: TestCompany, order: number): Promise<unknown> {
  return vi.waitUntil(async () => (await getOrder(company, order)).status === "cancelled", {
    timeout: 15_000,
    interval: 100,
  });
}

test("an unpaid order is erased 90 days later, with its intents and their gateway events", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  const [early, failed, paid, wrong, dismissed] = await placeOrders(company, 5);
  await play(company, "razorpay", gatewayOrderOf(failed), "failed");
  await play(company, "razorpay", gatewayOrderOf(paid), "failed");
  await play(company, "razorpay", gatewayOrderOf(paid), "paid");
  await pay(shop, wrong, { amount: 100 });
  await pay(shop, dismissed, { amount: 100 });
  const dismissal = { action: "dismiss", note: "Given back by hand", outside_reference: "rfnd_1" };
  must(await resolve(shop, dismissed.order_id, dismissal), 200);
  const stranger = razorpayEvent(early, { type: "refund.created" });
  must(await deliver(company, connected, { ...stranger, event: "settlement.processed", payload: {} }), 200);
  expect(await idsIn(company, "SELECT event_id FROM gateway_events WHERE intent_id IS NULL")).toHaveLength(1);
  await company.clock(2 * DAY);
  await givenUp(company, early.order_id);
  const late = await placeOrder(company);

  await company.clock(91 * DAY);
  const orders = () => idsIn(company, "SELECT id FROM sales_orders ORDER BY id");
  await company.sweep(async () => (await orders()).length === 4);
  expect(await orders()).toEqual([paid, wrong, dismissed, late].map(({ order_id }) => order_id));
  expect(
    await idsIn(company, "SELECT DISTINCT CAST(ref_id AS INTEGER) FROM payment_intents ORDER BY 1"),
  ).toEqual([paid, wrong, dismissed, late].map(({ order_id }) => order_id));
  expect(await idsIn(company, "SELECT event_id FROM gateway_events WHERE intent_id IS NULL")).toEqual([]);
  expect(
    await idsIn(company, "SELECT outcome FROM gateway_events WHERE outcome IN ('paid', 'mismatch')"),
  ).toHaveLength(3);
  const path = `/storefront/:company/order/${failed.order_id}`;
  expect(await company.call("GET", path)).toMatchObject({ status: 404 });
  expect(
    await idsIn(company, "SELECT record FROM audit_log WHERE action = 'eraseOrder' ORDER BY id"),
  ).toEqual([early, failed].map(({ order_id }) => String(order_id)));
  await expectSound(company);
  // The next number of that year goes on, and a search for what is gone finds nothing.
  await company.clock(2 * DAY);
  const next = await placeOrder(company);
  expect(next.order_number.slice(-5)).toBe("00007");
  expect(await company.read<object[]>(`/orders/:company?q=${failed.order_number}`)).toEqual([]);
  const indexed = `SELECT rowid FROM sales_orders_search WHERE sales_orders_search MATCH '"${failed.order_number}"'`;
  expect(await idsIn(company, indexed)).toEqual([]);
  await expectSound(company);
});

test("hundreds of abandoned orders go in one sweep", async () => {
  const { company } = await openShop();
  const { order_id: first } = await placeOrder(company);
  const copies = 450;
  const numbers = `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${copies})`;
  const period = "(SELECT period FROM number_series WHERE series = 'order')";
  await company.database().batch(
    [
      `INSERT INTO sales_orders (operation, order_number, status, currency, customer_id, customer, items, tax_amount,
        shipping_amount, total_amount, source_website, return_url, cancel_url, created_at, updated_at)
        ${numbers} SELECT 'copy-' || value, substr(order_number, 1, length(order_number) - 5) || printf('%05d', value + 1),
        'cancelled', currency, customer_id, customer, items, tax_amount, shipping_amount, total_amount, source_website,
        return_url, cancel_url, created_at, updated_at FROM sales_orders, n WHERE id = ${first}`,
      `INSERT INTO payment_intents (operation, kind, ref_id, gateway, gateway_account_id, amount, currency, status,
        next_look_at, created_at)
        SELECT 'copy-' || o.id, 'order', o.id, gateway, gateway_account_id, amount, i.currency, 'failed', 0, i.created_at
        FROM sales_orders o, payment_intents i WHERE o.id <> ${first} AND i.ref_id = '${first}'`,
      `INSERT INTO gateway_events (gateway, event_id, type, payload_sha256, intent_id, outcome, received_at)
        SELECT gateway, 'copy-' || id, 'payment.failed', '', id, 'failed', created_at FROM payment_intents WHERE status = 'failed'`,
      `UPDATE number_series SET last = last + ${copies} WHERE series = 'order' AND period = ${period}`,
      STAMP_BY_HAND,
    ],
    "write",
  );
  await expectSound(company);
  await company.clock(91 * DAY);
  await givenUp(company, first);
  const count = "SELECT (SELECT count(*) FROM sales_orders) + (SELECT count(*) FROM payment_intents)";
  await company.sweep(async () => (await idsIn(company, count))[0] === 0);
  expect(await idsIn(company, "SELECT count(*) FROM gateway_events")).toEqual([0]);
  await expectSound(company);
});
