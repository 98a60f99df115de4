import { afterAll, describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../../support/company.ts";
import { connectGateway } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { getInvoice, rowsOf } from "../../commerce.ts";
import { entryLines } from "../../money.ts";
import {
  deliver,
  gatewayOrderOf,
  getOrder,
  openShop,
  type Placed,
  paidFor,
  placeOrder,
  postCheckout,
  productLine,
  razorpayEvent,
} from "../shop.ts";
import { invoicesOf, NONE } from "../webhook/webhook.ts";

type Shop = Awaited<ReturnType<typeof openShop>>;

const shop = await openShop();
afterAll(() => expectSound(shop.company));

const pay = async (shop: Shop, placed: Placed) => {
  must(await deliver(shop.company, shop.connected, razorpayEvent(placed)), 200);
  return getOrder(shop.company, placed.order_id);
};

async function invoiceOf(shop: Shop, fields: Record<string, unknown>) {
  const { order, invoice } = await paidFor(shop, await placeOrder(shop.company, fields));
  expect(order.status).toBe("invoiced");
  return invoice;
}

const withProduct = (company: TestCompany, fields: object) =>
  productLine(company, { tax_rate: 18, ...fields });
const free = (unit_price: number, quantity = 1) => ({ name: "Free", quantity, unit_price });
const taxes = ({ items }: Awaited<ReturnType<typeof getInvoice>>) =>
  items.map(({ taxable_value, tax_rate, tax_amount }) => [taxable_value, tax_rate, tax_amount]);

describe("without a stated tax", () => {
  test.each([
    [false, 118, 236, 36],
    [true, 100, 200, 30.5],
  ])("a price that includes its tax: %s", async (price_includes_tax, withTax, total, tax) => {
    const item = await withProduct(shop.company, { price_includes_tax });
    const shown = must(
      await shop.company.call("GET", `/storefront/:company/products/${item.product_id}`),
      200,
    ).body.data;
    expect(shown).toMatchObject({ price: 100, price_includes_tax, price_with_tax: withTax });
    const placed = await placeOrder(shop.company, { items: [{ ...item, quantity: 2 }] });
    expect(placed.total_amount).toBe(total);
    const order = await pay(shop, placed);
    expect(order).toMatchObject({ total_amount: total, tax_amount: total - 200 });
    expect(order.items).toMatchObject([{ unit_price: 100, total: 200 }]);
    expect(await getInvoice(shop.company, String(order.invoice_id))).toMatchObject({
      total_amount: total,
      tax_total: tax,
    });
  });

  test.each([
    [0.03, 18, 10_000, 300, 54],
    [1.01, 18, 50_000, 50_500, 9_090],
    [0.05, 5, 99_999, 4_999.95, 250],
    [0.92, 18, 2_966.75, 2_729.41, 491.3],
  ])(
    "the tax of %d at %d percent is worked out on the line, as for any invoice",
    async (price, rate, quantity, value, tax) => {
      const item = {
        ...(await withProduct(shop.company, { selling_price: price, tax_rate: rate })),
        quantity,
      };
      const placed = await placeOrder(shop.company, { items: [item] });
      const order = await pay(shop, placed);
      expect(order).toMatchObject({ status: "invoiced", tax_amount: tax });
      const paid = await getInvoice(shop.company, String(order.invoice_id));
      expect(taxes(paid)).toEqual([[value, rate, tax]]);
      expect(paid.items).toMatchObject([{ unit_price: price }]);
      expect(paid.total_amount).toBe(placed.total_amount);
      // A shop that states the same tax is asked the same, and gets the same invoice.
      const stated = await placeOrder(shop.company, { items: [item], tax_amount: tax });
      expect(stated).toMatchObject({ total_amount: placed.total_amount });
      expect(stated).not.toHaveProperty("warnings");
    },
  );

  test("shipping has the rate of the goods, of several the highest, inside its amount", async () => {
    const low = await withProduct(shop.company, { tax_rate: 5, price_includes_tax: true });
    const high = await withProduct(shop.company, {
      name: "High",
      price_includes_tax: true,
      selling_price: 118,
      hsn_sac_code: "732393",
    });
    const invoice = await invoiceOf(shop, { items: [low, high], shipping_amount: 50 });
    expect(taxes(invoice)).toEqual([
      [95.24, 5, 4.76],
      [100, 18, 18],
      [42.38, 18, 7.62],
    ]);
    expect(invoice.items[2]).toMatchObject({ hsn_sac_code: "732393", cgst_amount: 3.81, sgst_amount: 3.81 });
    expect(await entryLines(shop.company, invoice.journal_entry_id)).toContain(
      "Shipping Income Dr 0 Cr 42.38",
    );
    expect(taxes(await invoiceOf(shop, { items: [free(10)], shipping_amount: 50 }))).toEqual([
      [10, 0, 0],
      [50, 0, 0],
    ]);
  });
});

describe("a stated tax", () => {
  test.each([
    ["of 18 percent", [free(1_000)], 180, 0, [[1_000, 18, 180]]],
    [
      "of 3 percent, a paisa off",
      [free(33.33), free(33.33)],
      2.01,
      0,
      [
        [33.34, 3, 1],
        [33.33, 3, 1],
      ],
    ],
    [
      "that fits the goods alone",
      [free(1_000)],
      180,
      50,
      [
        [1_000, 18, 180],
        [50, 0, 0],
      ],
    ],
    [
      "that fits the shipping too",
      [free(1_000)],
      189,
      50,
      [
        [1_000, 18, 180],
        [50, 18, 9],
      ],
    ],
  ])("%s is on the lines at that rate", async (_what, items, tax_amount, shipping_amount, expected) => {
    const invoice = await invoiceOf(shop, { items, tax_amount, shipping_amount });
    expect(taxes(invoice)).toEqual(expected);
  });

  test.each([
    ["of 18.002 percent", [free(50_000)], 9_001],
    ["of 100,000 percent", [free(1)], 1_000],
    ["of 45 percent", [free(1_000)], 450],
    ["of 8.875 percent", [free(1_000)], 88.75],
  ])(
    "%s leaves the order in review, its money kept and no invoice made",
    async (_what, items, tax_amount) => {
      const placed = await placeOrder(shop.company, { items, tax_amount });
      expect(placed.warnings).toEqual(["tax_amount_implausible"]);
      expect(await pay(shop, placed)).toMatchObject({
        status: "draft",
        payment_status: "review",
        invoice_url: null,
      });
      expect(
        await rowsOf(shop.company, "SELECT review_code FROM sales_orders WHERE id = ?", [placed.order_id]),
      ).toEqual([{ review_code: "tax_amount_implausible" }]);
      expect(
        await rowsOf(shop.company, "SELECT status FROM payment_intents WHERE gateway_order_id = ?", [
          gatewayOrderOf(placed),
        ]),
      ).toEqual([{ status: "paid" }]);
      expect(await invoicesOf(shop.company, placed)).toEqual(NONE);
    },
  );

  test("never puts a tax on a line of the catalogue that has none, nor on one whose price holds it", async () => {
    const untaxed = await withProduct(shop.company, { tax_rate: 0 });
    const held = await withProduct(shop.company, { name: "Held", price_includes_tax: true });
    for (const item of [untaxed, held])
      expect((await placeOrder(shop.company, { items: [item], tax_amount: 18 })).warnings).toBeDefined();
    const plain = await withProduct(shop.company, { name: "Plain" });
    const invoice = await invoiceOf(shop, { items: [untaxed, plain], tax_amount: 18 });
    expect(taxes(invoice)).toEqual([
      [100, 0, 0],
      [100, 18, 18],
    ]);
  });

  test("two paise off the tax of the catalogue is too much for one line", async () => {
    const { company } = shop;
    const item = { ...(await withProduct(company, {})), quantity: 2 };
    const warned = async (tax_amount: number) =>
      (await postCheckout(company, { items: [item], tax_amount })).body.warnings;
    expect([await warned(36), await warned(35.99), await warned(35.98)]).toEqual([
      undefined,
      undefined,
      ["tax_amount_implausible"],
    ]);
  });

  test("is taken as it is by a company outside India", async () => {
    const company = await openCompany({ country: "AU", currency: "AUD" });
    const abroad = { company, connected: await connectGateway(company, "razorpay") };
    const invoice = await invoiceOf(abroad, { currency: "AUD", items: [free(100)], tax_amount: 8.88 });
    expect(taxes(invoice)).toEqual([[100, 8.88, 8.88]]);
  });
});
