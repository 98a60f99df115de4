import { expect, test } from "vitest";
import { type Key, must } from "../../../support/company.ts";
import { requestsOf } from "../../../support/round-trips.ts";
import { type OrderRecord, openShop, type Placed, placeOrder, shopper } from "../shop.ts";

const HIDDEN = { customer: null, notes: null, metadata: null, invoice_url: null };
const PARTICULARS = { notes: "Ring twice", metadata: { cart: "c1" } };

const { company } = await openShop();
const shop = await company.key("storefront");
const body = {
  ...{ customer: shopper, currency: "INR", source_website: "shop.example.com", ...PARTICULARS },
  ...{ return_url: "https://shop.example.com/", cancel_url: "https://shop.example.com/" },
  items: [{ name: "Gift card", quantity: 1, unit_price: 100 }],
};
const answer = await company.call("POST", "/storefront/:company/checkout", { key: shop, body });
const placed = must(answer, 200).body as unknown as Placed;

async function read(key: Key, id = placed.order_id): Promise<OrderRecord> {
  return company.read<OrderRecord>(`/storefront/:company/order/${id}`, { key });
}

test("the key that placed an order reads who the shopper is", async () => {
  expect(await read(shop)).toMatchObject({ customer: { email: shopper.email }, ...PARTICULARS });
  const rotated = must(
    await company.call<Key>("POST", `/settings/:company/keys/${shop.client_id}/rotate`, {
      body: { overlap_seconds: 3_600 },
    }),
    200,
  ).body.data;
  expect(await read(rotated)).toMatchObject({ customer: { email: shopper.email } });
});

test("another shop's key reads status and amounts alone", async () => {
  const other = await company.key("storefront");
  expect(await requestsOf(company, () => read(other))).toBe(1);
  const order = await read(other);
  expect(order).toMatchObject({ ...HIDDEN, payment_status: "unpaid", total_amount: 100, currency: "INR" });
  const orders = await company.key("storefront", "orders:read");
  expect(await read(orders)).toMatchObject({ customer: { name: shopper.name }, ...PARTICULARS });
  const own = await placeOrder(company);
  expect(await read(shop, own.order_id)).toMatchObject(HIDDEN);
});

test("of a paid order, only its own shop has the invoice's address", async () => {
  const { order_id: id, payment_data: data } = placed;
  const body = JSON.stringify({ outcome: "paid" });
  const paid = await fetch(`${company.gatewaysUrl}/pay/razorpay/${data.gateway_order_id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  expect(paid.status).toBe(200);
  await expect.poll(async () => (await read(shop, id)).invoice_url).toMatch(/^http/);
  expect(await read(await company.key("storefront"), id)).toMatchObject({ ...HIDDEN, status: "invoiced" });
});
