import { describe, expect, test } from "vitest";
import { gstinCheckDigit } from "#shared/gst/gstin.ts";
import { must, openCompany } from "../../../support/company.ts";
import { connectGateway } from "../../../support/gateways.ts";
import { soundAtEnd } from "../../../support/oracles.ts";
import { type getInvoice, newCustomer } from "../../commerce.ts";
import { entryLines } from "../../money.ts";
import type { Shop } from "../orders/review.ts";
import {
  bought,
  deliver,
  gatewayOrderOf,
  getOrder,
  openShop,
  paidFor,
  placeOrder,
  productLine,
  razorpayEvent,
  shopper,
} from "../shop.ts";
import { invoicesOf, NONE } from "../webhook/webhook.ts";

const ZONE = "29AAACS8577K1ZL";
const OTHER = `29AABCT1332L1Z${gstinCheckDigit("29AABCT1332L1Z")}`;
const LETTER = { lut_number: "AD2903260001234", lut_valid_until: "2999-03-31" };

const shop = soundAtEnd(await openShop());

async function invoiceOf(shop: Shop, fields: Record<string, unknown>) {
  const { order, invoice } = await paidFor(shop, await placeOrder(shop.company, fields));
  expect(order.status).toBe("invoiced");
  return invoice;
}

const free = (unit_price: number, quantity = 1) => ({ name: "Free", quantity, unit_price });
const taxes = ({ items }: Awaited<ReturnType<typeof getInvoice>>) =>
  items.map(({ taxable_value, tax_rate, tax_amount }) => [taxable_value, tax_rate, tax_amount]);

describe("a stated tax", () => {
  test("of no rate there is leaves the order in review, its money kept and no invoice made", async () => {
    const placed = await placeOrder(shop.company, { items: [free(50_000)], tax_amount: 9_001 });
    expect(placed.warnings).toEqual(["tax_amount_implausible"]);
    must(await deliver(shop.company, shop.connected, razorpayEvent(placed)), 200);
    expect(await getOrder(shop.company, placed.order_id)).toMatchObject({
      status: "draft",
      payment_status: "review",
      invoice_url: null,
    });
    expect(
      await shop.company.rows("SELECT review_code FROM sales_orders WHERE id = ?", placed.order_id),
    ).toEqual([{ review_code: "tax_amount_implausible" }]);
    expect(
      await shop.company.rows(
        "SELECT status FROM payment_intents WHERE gateway_order_id = ?",
        gatewayOrderOf(placed),
      ),
    ).toEqual([{ status: "paid" }]);
    expect(await invoicesOf(shop.company, placed)).toEqual(NONE);
  });

  test("is taken as it is by a company outside India", async () => {
    const company = await openCompany({ country: "AU", currency: "AUD" });
    const abroad = { company, connected: await connectGateway(company, "razorpay") };
    const invoice = await invoiceOf(abroad, { currency: "AUD", items: [free(100)], tax_amount: 8.88 });
    expect(taxes(invoice)).toEqual([[100, 8.88, 8.88]]);
  });
});

test("prices that hold their tax are split within the state in equal heads; the books take it whole", async () => {
  const item = await productLine(shop.company, {
    selling_price: 99.99,
    tax_rate: 18,
    price_includes_tax: true,
    hsn_sac_code: "732393",
  });
  const shown = await shop.company.call("GET", `/storefront/:company/products/${item.product_id}`);
  const prices = { price: 99.99, price_includes_tax: true, price_with_tax: 99.99 };
  expect(must(shown, 200).body.data).toMatchObject(prices);
  const placed = await placeOrder(shop.company, { items: [{ ...item, quantity: 3 }], shipping_amount: 40 });
  const { invoice } = await paidFor(shop, placed);
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
  const [payment] = await shop.company.read<{ journal_entry_id: string }[]>("/payments/:company");
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
});

test("a tax that the shop stated is shared by the lines' tax, and to another state it is IGST", async () => {
  const low = await productLine(shop.company, { selling_price: 100, tax_rate: 5 });
  const high = await productLine(shop.company, { name: "Taxed higher", selling_price: 100, tax_rate: 18 });
  const placed = await placeOrder(shop.company, {
    customer: { ...shopper, state: "Kerala", pincode: "682001" },
    items: [low, high, { name: "Untaxed", quantity: 1, unit_price: 10 }],
    tax_amount: 23,
  });
  const { invoice } = await paidFor(shop, placed);
  expect(invoice).toMatchObject({
    supply_type: "inter",
    igst_total: 23,
    taxable_total: 210,
    total_amount: 233,
  });
  expect(invoice.items.map(({ igst_amount }) => igst_amount)).toEqual([5, 18, 0]);
});

test("a payment mode that was removed is there again for what comes through a gateway", async () => {
  const shop = await openShop();
  const modes = await shop.company.read<{ id: string; name: string }[]>("/payments/:company/methods");
  const online = modes.find(({ name }) => name === "Online");
  must(await shop.company.call("DELETE", `/settings/:company/payment-modes/${online?.id}`), 200);
  await paidFor(shop, await placeOrder(shop.company));
});

test("a buyer in a special economic zone who names the GSTIN of its record is supplied as such", async () => {
  await newCustomer(shop.company, { name: "Zone Ltd", gstin: ZONE, gst_category: "sez" });
  const items = [await productLine(shop.company, { tax_rate: 18 })];
  const customer = { ...shopper, gstin: ZONE };
  const taxed = await bought(shop, { customer, items });
  expect(taxed.invoice).toMatchObject({
    supply_type: "inter",
    zero_rated: "with_payment",
    igst_total: 18,
    customer: { gst_category: "sez", name: shopper.name },
  });
  expect(taxed.page.text).toContain("Supply to SEZ unit or SEZ developer for authorised operations");
  must(await shop.company.call("PATCH", "/settings/:company/profile", { body: LETTER }), 200);
  const untaxed = await bought(shop, { customer, items });
  expect(untaxed.order).toMatchObject({ total_amount: 100, tax_amount: 0 });
  expect(untaxed.invoice).toMatchObject({ taxable_total: 100, tax_total: 0, zero_rated: "without_payment" });
  const other = await bought(shop, { customer: { ...shopper, gstin: OTHER }, items });
  expect(other.invoice).toMatchObject({ supply_type: "intra", customer: { gst_category: "regular" } });
});
