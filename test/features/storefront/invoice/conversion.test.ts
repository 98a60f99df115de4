import * as fc from "fast-check";
import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { entryLines, newProduct, stockOf, voidInvoice } from "../../money.ts";
import {
  deliver,
  getOrder,
  openShop,
  type Placed,
  paidFor,
  placeOrder,
  placeOrders,
  productLine,
  razorpayEvent,
  shopper,
} from "../shop.ts";

const CARTS = Number(process.env.CART_RUNS ?? 25);
type Shop = Awaited<ReturnType<typeof openShop>>;

/** Pays an order, and gives its invoice. */
const pay = async (shop: Shop, placed: Placed) => (await paidFor(shop, placed)).invoice;

test("prices that hold their tax are split within the state in equal heads; the books take it whole", async () => {
  const shop = await openShop();
  const item = await productLine(shop.company, {
    selling_price: 99.99,
    tax_rate: 18,
    price_includes_tax: true,
    hsn_sac_code: "732393",
  });
  const placed = await placeOrder(shop.company, { items: [{ ...item, quantity: 3 }], shipping_amount: 40 });
  const invoice = await pay(shop, placed);
  expect(invoice).toMatchObject({
    supply_type: "intra",
    total_amount: 339.97,
    taxable_total: 288.11,
    cgst_total: 25.93,
    sgst_total: 25.93,
    round_off: 0,
    reference_number: placed.order_number,
  });
  expect(invoice.items.map(({ item_name, total }) => [item_name, total])).toEqual([
    ["Steel bottle", 299.97],
    ["Shipping", 40],
  ]);
  expect(await entryLines(shop.company, invoice.journal_entry_id)).toEqual([
    `Sundry Debtors / ${shopper.name} Dr 339.97 Cr 0`,
    "Sales Dr 0 Cr 254.21",
    "Shipping Income Dr 0 Cr 33.9",
    "Output CGST Dr 0 Cr 25.93",
    "Output SGST Dr 0 Cr 25.93",
  ]);
  const [payment] = must(
    await shop.company.call<{ journal_entry_id: string }[]>("GET", "/payments/:company"),
    200,
  ).body.data;
  expect(payment).toMatchObject({
    amount: 339.97,
    source: "storefront",
    gateway: "razorpay",
    payment_mode: { name: "Online" },
    reference_number: placed.order_number,
  });
  expect(await entryLines(shop.company, String(payment?.journal_entry_id))).toEqual([
    "Razorpay Clearing Dr 339.97 Cr 0",
    `Sundry Debtors / ${shopper.name} Dr 0 Cr 339.97`,
  ]);
  await expectSound(shop.company);
});

test("an odd paisa of tax stays with the price, so that the heads are equal and the buyer pays what he saw", async () => {
  const shop = await openShop();
  const item = await productLine(shop.company, { selling_price: 1, tax_rate: 5, price_includes_tax: true });
  const invoice = await pay(shop, await placeOrder(shop.company, { items: [item] }));
  expect(invoice).toMatchObject({ taxable_total: 0.96, cgst_total: 0.02, sgst_total: 0.02, total_amount: 1 });
});

test("a tax that the shop stated is shared by the lines' tax, and to another state it is IGST", async () => {
  const shop = await openShop();
  const low = await productLine(shop.company, { selling_price: 100, tax_rate: 5 });
  const high = await productLine(shop.company, { name: "Taxed higher", selling_price: 100, tax_rate: 18 });
  const placed = await placeOrder(shop.company, {
    customer: { ...shopper, state: "Kerala", pincode: "682001" },
    items: [low, high, { name: "Untaxed", quantity: 1, unit_price: 10 }],
    tax_amount: 23,
  });
  const invoice = await pay(shop, placed);
  expect(invoice).toMatchObject({
    supply_type: "inter",
    igst_total: 23,
    taxable_total: 210,
    total_amount: 233,
  });
  expect(invoice.items.map(({ igst_amount }) => igst_amount)).toEqual([5, 18, 0]);
});

test("a tax stated without any rate is on the lines at the one that it is of", async () => {
  const shop = await openShop();
  const items = [100, 200].map((unit_price) => ({ name: `At ${unit_price}`, quantity: 1, unit_price }));
  const invoice = await pay(shop, await placeOrder(shop.company, { items, tax_amount: 15 }));
  expect(invoice.items.map(({ tax_amount, tax_rate }) => [tax_amount, tax_rate])).toEqual([
    [5, 5],
    [10, 5],
  ]);
  expect(invoice).toMatchObject({ cgst_total: 7.5, sgst_total: 7.5, total_amount: 315 });
});

test("what was sold meanwhile is sold all the same: what is paid must convert", async () => {
  const shop = await openShop();
  const product = await newProduct(shop.company, { track_stock: true, opening_stock: 2.5 });
  const item = { name: "x", quantity: 2.5, unit_price: 1, product_id: Number(product.id) };
  const [first, second] = await placeOrders(shop.company, 2, { items: [item] });
  await pay(shop, first);
  const invoice = await pay(shop, second);
  expect(await stockOf(shop.company, product.id)).toBe(-2.5);
  await expectSound(shop.company);
  must(await voidInvoice(shop.company, invoice.id), 200);
  expect(await stockOf(shop.company, product.id)).toBe(0);
  expect(await getOrder(shop.company, 2)).toMatchObject({ status: "invoiced", invoice_url: null });
});

test("a payment mode that was removed is there again for what comes through a gateway", async () => {
  const shop = await openShop();
  const modes = must(
    await shop.company.call<{ id: string; name: string }[]>("GET", "/payments/:company/methods"),
    200,
  );
  const online = modes.body.data.find(({ name }) => name === "Online");
  must(await shop.company.call("DELETE", `/settings/:company/payment-modes/${online?.id}`), 200);
  await pay(shop, await placeOrder(shop.company));
  await expectSound(shop.company);
});

test(
  "of any cart that becomes an invoice its total, the order's and the money received are one, to the paisa",
  async () => {
    const shop = await openShop();
    await shop.company.raiseLimit();
    const rates = [0, 5, 12, 18, 28];
    const products = await Promise.all(
      rates.map((tax_rate, index) =>
        newProduct(shop.company, { name: `P${index}`, selling_price: 3.33 * (index + 1) + 0.01, tax_rate }),
      ),
    );
    const paise = (max: number) => fc.integer({ min: 1, max }).map((n) => n / 100);
    const cart = fc.record({
      items: fc.array(
        fc.record({
          product: fc.option(fc.integer({ min: 0, max: products.length - 1 })),
          quantity: fc.integer({ min: 1, max: 99_999 }).map((n) => n / 1_000),
          unit_price: paise(99_999),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      tax_amount: fc.option(paise(50_000)),
      // No gateway takes less than a rupee.
      shipping_amount: fc.integer({ min: 100, max: 1_000_000 }).map((n) => n / 100),
      state: fc.constantFrom("Karnataka", "Kerala"),
      who: fc.integer({ min: 1, max: 1_000_000 }),
    });
    await fc.assert(
      fc.asyncProperty(cart, async ({ items, state, who, ...amounts }) => {
        const placed = await placeOrder(shop.company, {
          ...amounts,
          customer: {
            name: `Buyer ${who}`,
            email: `buyer${who}${state}@example.com`,
            state,
            pincode: "560001",
          },
          items: items.map(({ product, ...rest }) => ({
            name: "Free",
            ...rest,
            product_id: product === null ? null : Number(products[product]?.id),
          })),
        });
        if (placed.warnings === undefined) {
          const invoice = await pay(shop, placed);
          expect(invoice.total_amount).toBe(placed.total_amount);
          expect(invoice.amount_paid).toBe(placed.total_amount);
          expect(invoice.round_off).toBe(0);
        } else {
          must(await deliver(shop.company, shop.connected, razorpayEvent(placed)), 200);
          expect(await getOrder(shop.company, placed.order_id)).toMatchObject({ payment_status: "review" });
        }
      }),
      { numRuns: CARTS },
    );
    await expectSound(shop.company);
  },
  30_000 + CARTS * 1_000,
);
