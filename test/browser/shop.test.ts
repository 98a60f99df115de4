import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, expect, inject, test } from "vitest";
import { serve } from "../../src/sandbox/server/node-handler.ts";
import { shopSite } from "../../src/sandbox/server/shop-and-gateways.ts";
import type { Settings } from "../../src/sandbox/site/shop/server.ts";
import { REGISTERED } from "../features/commerce.ts";
import { newProduct } from "../features/money.ts";
import { openCompany } from "../support/company.ts";
import { connectGateway, play } from "../support/gateways.ts";
import { launch } from "./chromium.ts";

const LONG = "Zeitungsständerbefestigungsschraubensortiment-Großpackung";
const browser = await launch();
const company = await openCompany(REGISTERED);
const priced = { selling_price: 249.5, tax_rate: 5, price_includes_tax: true, track_stock: true };
await Promise.all([
  connectGateway(company, "razorpay", { currencies: ["INR"] }),
  connectGateway(company, "stripe", { currencies: ["GBP"] }),
  connectGateway(company, "paypal", { currencies: ["USD"] }),
  newProduct(company, { name: "Ceramic mug", opening_stock: 50, ...priced }),
  newProduct(company, { name: "Desk lamp", opening_stock: 0, ...priced }),
  newProduct(company, { name: "Paper knife", opening_stock: 50, ...priced }),
  newProduct(company, { name: LONG, opening_stock: 50, ...priced }),
]);
const server = await serve(shopSite(() => settings).fetch, 0);
const { client_id, client_secret } = await company.key("storefront");
const settings: Settings = {
  api: `${inject("service").url}/v1`,
  company: company.slug,
  key: { client_id, client_secret: client_secret ?? "" },
  shop: `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop`,
  razorpayPage: `${company.gatewaysUrl}/pay/razorpay`,
};
afterAll(async () => {
  await browser.close();
  server.close();
  server.closeAllConnections();
});

/** The shop in a browser of its own, and what that complains of. */
async function visit(width = 1280): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${settings.shop}/`);
  await product(page, "Ceramic mug").waitFor();
  return { page, complaints };
}

function product(page: Page, name: string) {
  return page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name }).click();
}

async function buyTwoMugs(page: Page): Promise<void> {
  await product(page, "Ceramic mug").getByRole("button").click();
  await press(page, "One more: Ceramic mug");
  await press(page, "Pay ₹499.00");
}

async function buyGiftCard(page: Page, gateway: string): Promise<void> {
  await press(page, new RegExp(`by ${gateway}$`));
  await press(page, "Buy the gift card");
}

test.each([
  ["Razorpay", "₹499.00", "Tax invoice", buyTwoMugs],
  ["Stripe", "£20.00", "Bill of supply", buyGiftCard],
  ["PayPal", "US$25.00", "Bill of supply", buyGiftCard],
])("a buyer goes from the shop over %s to the invoice", async (gateway, total, title, buy) => {
  const { page, complaints } = await visit();
  await buy(page, gateway);
  await page.getByRole("banner").filter({ hasText: gateway }).waitFor();
  await press(page, `Pay ${total}`);
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  expect(await page.getByRole("main").innerText()).toContain(total);
  expect(await page.getByRole("main").innerText()).toMatch(new RegExp(`Order \\S+, by ${gateway}\n`));
  await page.getByRole("link", { name: /^Open invoice INV/ }).click();
  await page.waitForURL(/\/i\//);
  expect(await page.title()).toMatch(new RegExp(`^${title} INV\\S+ from Asha Traders$`));
  expect(await page.getByText("Asha Rao").count()).toBe(1);
  expect(complaints).toEqual([]);
});

test("the basket and its order have the lines in the order in which they were put in", async () => {
  const { page } = await visit();
  await product(page, "Paper knife").getByRole("button").click();
  await product(page, "Ceramic mug").getByRole("button").click();
  await product(page, "Paper knife").getByRole("button").click();
  const lines = await page.locator("#lines li").allInnerTexts();
  expect(lines.map((line) => line.split("\n", 1)[0])).toEqual(["Paper knife", "Ceramic mug"]);
  await press(page, "Pay ₹748.50");
  await press(page, "Pay ₹748.50");
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  expect(await page.getByRole("listitem").allInnerTexts()).toMatchObject([
    expect.stringContaining("2 × Paper knife"),
    expect.stringContaining("1 × Ceramic mug"),
    expect.stringContaining("Total"),
  ]);
});

test("the focus stays on the button that was pressed in the basket, until its line is gone", async () => {
  const { page } = await visit();
  await product(page, "Ceramic mug").getByRole("button").click();
  await product(page, "Paper knife").getByRole("button").click();
  const focused = () => page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.innerText");
  await page.getByRole("button", { name: "One more: Ceramic mug" }).focus();
  for (const quantity of [2, 3]) {
    await page.keyboard.press("Enter");
    await page.getByText(`${quantity + 1} in your basket`).waitFor({ state: "attached" });
    expect(await focused()).toBe("One more: Ceramic mug");
  }
  await page.getByRole("button", { name: "One less: Ceramic mug" }).focus();
  for (const _ of [2, 1]) {
    await page.keyboard.press("Space");
    expect(await focused()).toBe("One less: Ceramic mug");
  }
  await page.keyboard.press("Space");
  expect(await page.locator("#lines li").count()).toBe(1);
  expect(await focused()).toBe("Your basket");
});

test("a payment that failed leaves the order unpaid, until it is tried again", async () => {
  const { page } = await visit();
  await buyTwoMugs(page);
  await press(page, "The payment fails");
  await page.getByRole("heading", { name: "Not paid yet" }).waitFor();
  await page.getByRole("link", { name: "Try the payment again" }).click();
  await press(page, "Pay ₹499.00");
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
});

test("an order whose payment can be made no more is closed", async () => {
  const { page } = await visit();
  await buyGiftCard(page, "Stripe");
  await press(page, "The payment fails");
  await page.getByText("the order is closed").waitFor();
  expect(await page.getByRole("link", { name: "Try the payment again" }).count()).toBe(0);
});

test("a buyer who pays another amount gets no invoice", async () => {
  const { page } = await visit();
  await buyGiftCard(page, "Stripe");
  await press(page, "Pay £19.99 instead");
  await page.getByRole("heading", { name: "We are looking into it" }).waitFor();
  expect(await page.getByRole("link", { name: /invoice/ }).count()).toBe(0);
});

test("the buyer waits on the shop's page for a payment that is confirmed late", async () => {
  const { page } = await visit();
  await buyGiftCard(page, "PayPal");
  await page.getByRole("banner").filter({ hasText: "PayPal" }).waitFor();
  const [id = ""] = page.url().split("/").slice(-1);
  await page.goto(`${settings.shop}/?order=placed`);
  await page.getByRole("heading", { name: "Waiting for your payment" }).waitFor();
  await play(company, "paypal", id, "paid");
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
});

test("on a phone the shop says that the basket got something, and leads there", async () => {
  const { page, complaints } = await visit(375);
  await page.setViewportSize({ width: 375, height: 600 });
  const told = page.getByRole("status");
  expect(await told.innerText()).toBe("");
  // The first product, so that the basket is out of view in whatever fonts the machine has.
  const add = page.getByRole("button", { name: "Add to basket" }).first();
  await add.click();
  await page.getByRole("link", { name: "1 in your basket, ₹249.50" }).waitFor();
  await add.click();
  const link = page.getByRole("link", { name: "2 in your basket, ₹499.00" });
  const box = await link.boundingBox();
  expect((box?.y ?? 600) + (box?.height ?? 0)).toBeLessThanOrEqual(600);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  await link.click();
  await page.getByRole("heading", { name: "Your basket" }).waitFor();
  await link.waitFor({ state: "hidden" });
  expect(complaints).toEqual([]);
});

test("the shop says what the API refuses, and sells nothing that is not there", async () => {
  const { page } = await visit();
  expect(await product(page, "Desk lamp").getByRole("button", { name: "Sold out" }).isDisabled()).toBe(true);
  await product(page, "Ceramic mug").getByRole("button").click();
  await page.getByLabel("Email").fill("asha@nowhere");
  await press(page, "Pay ₹249.50");
  expect(await page.getByRole("alert").innerText()).toContain("email");
});

test.each([1280, 375, 320])("at %d px the shop, its basket and the payment page fit", async (width) => {
  const { page } = await visit(width);
  const overflow = () => page.evaluate("document.documentElement.scrollWidth");
  expect(await overflow()).toBe(width);
  await product(page, LONG).getByRole("button").click();
  expect(await overflow()).toBe(width);
  await press(page, `One less: ${LONG}`);
  await buyTwoMugs(page);
  await page.getByRole("banner").filter({ hasText: "Razorpay" }).waitFor();
  expect(await overflow()).toBe(width);
});
