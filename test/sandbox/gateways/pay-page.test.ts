import { expect, it } from "vitest";
import { basic, call, eventsReceived, gateways, openAccount, pay, useGateways } from "./harness.ts";

useGateways();

const back = "return_url=http%3A%2F%2Flocalhost%2Fthanks&cancel_url=http%3A%2F%2Flocalhost%2Fcart";

async function newPage(): Promise<string> {
  const merchant = openAccount("razorpay");
  const order = { amount: 12_345_650, currency: "INR", receipt: "<b>SO/26-27/00003</b>" };
  const { id } = (await call("/razorpay/v1/orders", basic(merchant), order)).body;
  return `${gateways.url}/pay/razorpay/${id}`;
}

function press(page: string, outcome: string): Promise<Response> {
  return fetch(page, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" });
}

it("shows amount, merchant and order, and escapes them", async () => {
  const text = await (await fetch(await newPage())).text();
  expect(text).toContain("₹1,23,456.50");
  expect(text).toMatch(/<p>Shop \d+<\/p>/);
  expect(text).toContain("&lt;b&gt;SO/26-27/00003&lt;/b&gt;");
  expect(text).toContain("Pay ₹1,23,456.49 instead");
  expect(text).toContain("Or try what else can happen");
});

it("takes the payer back to the shop, or where a failed payment leads", async () => {
  const page = await newPage();
  expect(await (await fetch(`${page}?${back}`)).text()).toContain('href="http://localhost/cart"');
  const failed = await press(page, "failed");
  expect([failed.status, failed.headers.get("Location")]).toEqual([303, "http://localhost/cart"]);
  const paid = await press(page, "paid");
  expect([paid.status, paid.headers.get("Location")]).toEqual([303, "http://localhost/thanks"]);
  expect(eventsReceived()).toContain("payment.failed");
  const text = await (await fetch(page)).text();
  expect(text).toContain("Go back");
  expect(text).toContain("Webhooks sent");
  expect((await press(page, "paid")).status).toBe(409);
});

it("takes no visitor to an address that is no web page", async () => {
  const page = await newPage();
  const text = await (await fetch(`${page}?cancel_url=javascript%3Aalert(1)`)).text();
  expect(text).not.toContain("javascript:");
});

it("sends the payer of a delayed payment back at once", async () => {
  const page = await newPage();
  expect((await press(page, "delayed")).status).toBe(303);
  expect(eventsReceived()).toEqual([]);
  await expect.poll(eventsReceived, { timeout: 10_000 }).toContain("order.paid");
});

/** What the list of orders says of one. */
async function listed(page: string): Promise<string | undefined> {
  const text = await (await fetch(`${gateways.url}/pay`)).text();
  return new RegExp(`href="${new URL(page).pathname}"[^\\n]*?(?:<td>[^<]*){3}<td>([^<\\n]+)`).exec(text)?.[1];
}

it("lists the orders, and distinguishes a failed payment from none", async () => {
  const page = await newPage();
  expect(await listed(page)).toBe("open");
  await press(page, "failed");
  expect(await listed(page)).toBe("failed");
  await press(page, "paid");
  expect(await listed(page)).toBe("paid");
});

it("lists a session of Stripe whose payment failed as failed", async () => {
  const form = new URLSearchParams({
    mode: "payment",
    success_url: "http://localhost/thanks",
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][currency]": "inr",
    "line_items[0][price_data][unit_amount]": "35400",
    "line_items[0][price_data][product_data][name]": "Order SO/26-27/00001",
  });
  const authorization = `Bearer ${openAccount("stripe").secret}`;
  const { url } = (await call("/stripe/v1/checkout/sessions", authorization, form.toString())).body;
  await press(url, "failed");
  expect(await listed(url)).toBe("failed");
});

it("knows no other order and no other outcome", async () => {
  const page = await newPage();
  expect((await fetch(`${gateways.url}/pay/razorpay/order_0`)).status).toBe(404);
  expect((await fetch(page.replace("razorpay", "stripe"))).status).toBe(404);
  expect((await pay("razorpay", page.split("/").at(-1), "stolen")).status).toBe(422);
});
