import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, it } from "vitest";
import { serve } from "../../src/sandbox/server/node-handler.ts";
import { shopServer } from "../../src/sandbox/site/shop/server.ts";

const KEY = { client_id: "ck_shop", client_secret: "the-secret" };
const CART = [{ product_id: 3, quantity: 2 }];
const CUSTOMER = { name: "Asha", email: "asha@example.com" };

type Asked = { method: string; path: string; headers: Headers; body: unknown };
let asked: Asked[];
let answer: { status: number; body: object };

const api = await serve(async (request) => {
  const { pathname, search } = new URL(request.url);
  const text = await request.text();
  const body = text === "" ? undefined : JSON.parse(text);
  asked.push({ method: request.method, path: pathname + search, headers: request.headers, body });
  return Response.json(answer.body, { status: answer.status });
}, 0);
const shop = shopServer({
  api: `http://127.0.0.1:${(api.address() as AddressInfo).port}/v1`,
  company: "shop",
  key: KEY,
  shop: "http://localhost/shop",
  razorpayPage: "http://localhost/pay/razorpay",
});
beforeEach(() => {
  const next_action = { type: "razorpay_checkout", options: { order_id: "order_1" } };
  asked = [];
  answer = { status: 200, body: { success: true, order_id: 7, next_action } };
});
afterAll(() => {
  api.close();
  api.closeAllConnections();
});

async function checkOut(order: object) {
  const body = JSON.stringify({ customer: CUSTOMER, ...order });
  const response = await shop.request("/checkout", { method: "POST", body });
  return { response, body: JSON.parse(await response.text()) };
}

it("signs its calls with the secret key, and shows the browser none of it", async () => {
  const response = await shop.request("/products");
  expect(asked).toMatchObject([{ method: "GET", path: "/v1/storefront/shop/products?limit=100" }]);
  expect(asked[0]?.headers.get("X-Client-Secret")).toBe(KEY.client_secret);
  expect(await response.text()).not.toContain(KEY.client_secret);
});

it("orders goods by their ids, so that the catalogue decides name and price", async () => {
  const cart = [
    { product_id: 3, quantity: 2 },
    { product_id: 1, quantity: 1, name: "Gold", unit_price: 0.01 },
  ];
  const { body } = await checkOut({ currency: "INR", cart });
  expect(asked[0]?.body).toMatchObject({
    items: [
      { product_id: 3, quantity: 2, name: "-", unit_price: 1 },
      { product_id: 1, quantity: 1, name: "-", unit_price: 1 },
    ],
    customer: CUSTOMER,
    currency: "INR",
    source_website: "localhost",
    return_url: "http://localhost/shop/?order=placed",
    cancel_url: "http://localhost/shop/?order=unpaid",
  });
  expect(body.payment_page).toMatch(/^http:\/\/localhost\/pay\/razorpay\/order_1\?return_url=http/);
});

it.each([
  ["GBP", 20, "http://pay/1"],
  ["USD", 25, "http://pay/2"],
])("sells gift cards for %s at its own price", async (currency, unit_price, page) => {
  Object.assign(answer.body, { next_action: { type: "redirect", url: page } });
  const { body } = await checkOut({ currency, cart: CART, unit_price: 1 });
  expect(asked[0]?.body).toMatchObject({ items: [{ name: "Gift card", quantity: 1, unit_price }], currency });
  expect(body.payment_page).toBe(page);
});

it("passes a refusal on, and remembers no order then", async () => {
  const refusal = { code: "validation_failed", message: "items must not be empty" };
  answer = { status: 422, body: refusal };
  const { response, body } = await checkOut({ currency: "INR", cart: [] });
  expect([response.status, body]).toEqual([422, refusal]);
  expect(response.headers.get("Set-Cookie")).toBeNull();
});

it("shows an order to the browser that placed it, and to no other", async () => {
  const { response } = await checkOut({ currency: "INR", cart: CART });
  const cookie = response.headers.get("Set-Cookie")?.split(";", 1)[0] ?? "";
  expect(response.headers.get("Set-Cookie")).toContain("HttpOnly");
  await shop.request("/order", { headers: { Cookie: cookie } });
  expect(asked[1]?.path).toBe("/v1/storefront/shop/order/7");
  const forged = { Cookie: cookie.replace("order=7", "order=8") };
  expect((await shop.request("/order", { headers: forged })).status).toBe(404);
  expect((await shop.request("/order")).status).toBe(404);
  expect(asked).toHaveLength(2);
});
