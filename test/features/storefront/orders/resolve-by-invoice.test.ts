import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { getInvoice, refusedFields } from "../../commerce.ts";
import { entryLines, stockOf, today } from "../../money.ts";
import { openShop, placeOrder, placeOrders, productLine } from "../shop.ts";
import {
  advancesOf,
  exhaust,
  expectWhole,
  free,
  implausible,
  invalid,
  pay,
  read,
  resolve,
  resolved,
} from "./review.ts";

describe("invoice", async () => {
  // For tests that ask about their own orders alone.
  const shared = await openShop();

  test("works the tax out inside the same total as if none were stated, dated today, with the money that waited", async () => {
    const shop = await openShop();
    const stocked = { tax_rate: 18, track_stock: true, opening_stock: 5 };
    const item = await productLine(shop.company, stocked, 2);
    const items = [item];
    const placed = await placeOrder(shop.company, { items, tax_amount: 36.5, shipping_amount: 10 });
    await pay(shop, placed);
    const id = placed.order_id;
    expect(await advancesOf(shop)).toMatchObject([
      { paid_for: "order", paid_for_id: String(id), advance_amount: 246.5, currency: "INR" },
    ]);
    await expectWhole(shop);
    const order = await resolved(shop, id, { action: "invoice" });
    expect(order).toMatchObject({
      status: "invoiced",
      payment_status: "paid",
      needs_review: false,
      review_code: null,
      reviewed_at: expect.any(String),
      needs_refund: false,
    });
    const invoice = await getInvoice(shop.company, String(order.invoice_id));
    expect(invoice).toMatchObject({ total_amount: 246.5, invoice_date: today(), amount_due: 0 });
    expect(invoice.items).toMatchObject([
      { tax_rate: 18, taxable_value: 200.42, tax_amount: 36.08 },
      { tax_rate: 18, taxable_value: 8.48, tax_amount: 1.52 },
    ]);
    expect(await stockOf(shop.company, String(item.product_id))).toBe(3);
    expect(await advancesOf(shop)).toEqual([]);
    const [{ receipt } = {}] = await shop.company.rows(
      "SELECT id AS receipt FROM journal_entries WHERE source_type = 'payment'",
    );
    expect(await entryLines(shop.company, String(receipt))).toEqual([
      "Customer Advances Dr 246.5 Cr 0",
      expect.stringMatching(/Meera Nair Dr 0 Cr 246.5$/),
    ]);
    await expectWhole(shop);
  });

  test("takes the tax that is sent, judged as a stated one is, inside the same total", async () => {
    const { shop, id } = await implausible(shared);
    const refused = await resolve(shop, id, { action: "invoice", tax_amount: 300 });
    expect(refused).toMatchObject({ status: 422, body: { code: "tax_amount_implausible" } });
    expect(refusedFields(refused)).toEqual({ tax_amount: "tax_amount_implausible" });
    const above = await resolve(shop, id, { action: "invoice", tax_amount: 1_450.01 });
    expect(above).toMatchObject({ status: 422, body: { code: "tax_amount_implausible" } });
    const order = await resolved(shop, id, { action: "invoice", tax_amount: 221.18 });
    const invoice = await getInvoice(shop.company, String(order.invoice_id));
    expect(invoice).toMatchObject({ total_amount: 1_450, tax_total: 221.18 });
    expect(invoice.items).toMatchObject([{ tax_rate: 18, taxable_value: 1_228.82 }]);
    await expectWhole(shop);
  });

  test("of an order whose effect was refused keeps its plausible tax, and the payment that was quarantined", async () => {
    const shop = await openShop();
    const placed = await placeOrder(shop.company, { items: [free(1_000)], tax_amount: 180 });
    const restore = await exhaust(shop.company);
    await pay(shop, placed, { amount: 9_000, id: "pay_wrong1" });
    await pay(shop, placed, { id: "pay_quarantined1" });
    const id = placed.order_id;
    expect(await read(shop, id)).toMatchObject({ review_code: "effect_refused", payment_status: "review" });
    expect(await advancesOf(shop)).toMatchObject([
      { paid_for_id: String(id), advance_amount: 1_180 },
      { advance_amount: 90 },
    ]);
    const again = await resolve(shop, id, { action: "invoice" });
    expect(again).toMatchObject({ status: 409, body: { code: "number_exhausted" } });
    await restore();
    await expectWhole(shop);
    const order = await resolved(shop, id, { action: "invoice" });
    expect(order).toMatchObject({
      status: "invoiced",
      // Other money that came beside the exact one is owed back.
      needs_refund: true,
      payments: [
        { status: "paid", gateway_payment_id: "pay_quarantined1", other_payment_ids: ["pay_wrong1"] },
      ],
    });
    const invoice = await getInvoice(shop.company, String(order.invoice_id));
    expect(invoice).toMatchObject({ total_amount: 1_180, tax_total: 180 });
    await expectWhole(shop);
  });

  test("of an order whose customer was deleted makes it out to the customer that the shopper is now", async () => {
    const shop = await openShop();
    const { company } = shop;
    const placed = await placeOrder(company, { items: [free(100)], tax_amount: 18 });
    const id = placed.order_id;
    must(await resolve(shop, id, { action: "cancel" }), 200);
    must(await company.call("DELETE", "/customers/:company/1"), 200);
    await pay(shop, placed);
    expect(await read(shop, id)).toMatchObject({ review_code: "customer_gone", customer_id: "1" });
    const order = await resolved(shop, id, { action: "invoice" });
    expect(order).toMatchObject({ status: "invoiced", customer_id: "2" });
    const invoice = await getInvoice(company, String(order.invoice_id));
    expect(invoice).toMatchObject({ total_amount: 118, customer: { id: "2", name: "Meera Nair" } });
    await expectWhole(shop);
  });

  test("of another code, of another amount, or of nothing that was paid is 409", async () => {
    const shop = shared;
    const [unpaid, wrong, paid] = await placeOrders(shop.company, 3);
    await pay(shop, wrong, { amount: 9_999 });
    await pay(shop, paid);
    for (const { order_id } of [unpaid, wrong, paid])
      expect(await resolve(shop, order_id, { action: "invoice" })).toMatchObject(invalid);
    await expectWhole(shop);
  });
});
