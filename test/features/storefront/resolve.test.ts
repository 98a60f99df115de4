import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import type { ListedOrder } from "../../../src/features/storefront/orders/staff-schema.ts";
import { must, platform, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getInvoice, refusedFields, rowsOf } from "../commerce.ts";
import { entryLines, newProduct, stockOf, tally, today } from "../money.ts";
import { deliver, openShop, type Placed, placeOrder, razorpayEvent } from "./shop.ts";

type Shop = Awaited<ReturnType<typeof openShop>>;
type Listed = z.infer<typeof ListedOrder>;
const free = (unit_price: number) => ({ name: "Free", quantity: 1, unit_price });
const invalid = { status: 409, body: { code: "invalid_status" } };

function resolve({ company }: Shop, id: number, body: object, headers: Record<string, string> = {}) {
  return company.call<Listed>("POST", `/orders/:company/${id}/resolve`, { body, headers });
}
async function read({ company }: Shop, id: number): Promise<Listed> {
  return must(await company.call<Listed>("GET", `/orders/:company/${id}`), 200).body.data;
}
async function unposted({ company }: Shop) {
  return must(await company.call<object[]>("GET", "/ledger/:company/unposted"), 200).body.data;
}
async function pay({ company, connected }: Shop, placed: Placed, payment: Record<string, unknown> = {}) {
  must(await deliver(company, connected, razorpayEvent(placed, { type: "payment.captured", payment })), 200);
}
async function expectWhole({ company }: Shop) {
  await expectSound(company);
  const checked = must(await platform("GET", `/platform/self-check/${company.slug}`), 200).body.data;
  expect(checked).toMatchObject({ sound: true, broken: [] });
}

/** An order of 1,450.00 that is paid, with 450.00 of stated tax: 45 percent, which no slab is. */
async function implausible(fields: object = {}) {
  const shop = await openShop();
  const placed = await placeOrder(shop.company, { items: [free(1_000)], tax_amount: 450, ...fields });
  await pay(shop, placed);
  expect(await read(shop, placed.order_id)).toMatchObject({ review_code: "tax_amount_implausible" });
  return { shop, placed, id: placed.order_id };
}

/** Takes the last invoice number of the year away, so that no paid order can be invoiced. */
async function exhaust(company: TestCompany) {
  const [{ period } = {}] = await rowsOf(company, "SELECT period FROM number_series WHERE series = 'order'");
  await rowsOf(company, "INSERT INTO number_series (series, period, last) VALUES ('invoice', ?, 999999)", [
    String(period),
  ]);
  return () => rowsOf(company, "DELETE FROM number_series WHERE series = 'invoice'");
}

describe("invoice", () => {
  test("works the tax out inside the same total as if none were stated, dated today, and posts what was unposted", async () => {
    const shop = await openShop();
    const product = await newProduct(shop.company, {
      selling_price: 100,
      tax_rate: 18,
      track_stock: true,
      opening_stock: 5,
    });
    const items = [{ name: "x", quantity: 2, unit_price: 1, product_id: Number(product.id) }];
    const placed = await placeOrder(shop.company, { items, tax_amount: 36.5, shipping_amount: 10 });
    await pay(shop, placed);
    const id = placed.order_id;
    expect(await unposted(shop)).toEqual([
      {
        source_type: "order",
        source_id: String(id),
        number: placed.order_number,
        date: today(),
        amount: 246.5,
        currency: "INR",
        reason: "account_missing",
      },
    ]);
    await expectWhole(shop);
    const order = must(await resolve(shop, id, { action: "invoice" }), 200).body.data;
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
      { tax_rate: 18, taxable_value: 8.47, tax_amount: 1.53 },
    ]);
    expect(await stockOf(shop.company, product.id)).toBe(3);
    expect(await unposted(shop)).toEqual([]);
    const [{ receipt } = {}] = await rowsOf(
      shop.company,
      "SELECT id AS receipt FROM journal_entries WHERE source_type = 'payment'",
    );
    expect(await entryLines(shop.company, String(receipt))).toEqual([
      expect.stringMatching(/Clearing Dr 246.5 Cr 0$/),
      expect.stringMatching(/Meera Nair Dr 0 Cr 246.5$/),
    ]);
    await expectWhole(shop);
  });

  test("takes the tax that is sent, judged as a stated one is, inside the same total", async () => {
    const { shop, id } = await implausible();
    const refused = await resolve(shop, id, { action: "invoice", tax_amount: 300 });
    expect(refused).toMatchObject({ status: 422, body: { code: "tax_amount_implausible" } });
    expect(refusedFields(refused)).toEqual({ tax_amount: "tax_amount_implausible" });
    const above = await resolve(shop, id, { action: "invoice", tax_amount: 1_450.01 });
    expect(above).toMatchObject({ status: 422, body: { code: "tax_amount_implausible" } });
    const order = must(await resolve(shop, id, { action: "invoice", tax_amount: 221.19 }), 200).body.data;
    const invoice = await getInvoice(shop.company, String(order.invoice_id));
    expect(invoice).toMatchObject({ total_amount: 1_450, tax_total: 221.19 });
    expect(invoice.items).toMatchObject([{ tax_rate: 18, taxable_value: 1_228.81 }]);
    await expectWhole(shop);
  });

  test.each([
    [0, 0, 0],
    [undefined, 0, 0],
  ])("with a tax of %s takes the rates of the lines", async (tax_amount, rate, tax_total) => {
    const { shop, id } = await implausible();
    const order = must(await resolve(shop, id, { action: "invoice", tax_amount }), 200).body.data;
    const invoice = await getInvoice(shop.company, String(order.invoice_id));
    expect(invoice).toMatchObject({ total_amount: 1_450, tax_total, items: [{ tax_rate: rate }] });
    await expectWhole(shop);
  });

  test("of an order whose effect was refused keeps its plausible tax, and the payment that was parked", async () => {
    const shop = await openShop();
    const placed = await placeOrder(shop.company, { items: [free(1_000)], tax_amount: 180 });
    const restore = await exhaust(shop.company);
    await pay(shop, placed, { id: "pay_parked1" });
    const id = placed.order_id;
    expect(await read(shop, id)).toMatchObject({ review_code: "effect_refused", payment_status: "review" });
    expect(await unposted(shop)).toMatchObject([{ source_type: "order", amount: 1_180 }]);
    const again = await resolve(shop, id, { action: "invoice" });
    expect(again).toMatchObject({ status: 409, body: { code: "number_exhausted" } });
    await restore();
    await expectWhole(shop);
    const order = must(await resolve(shop, id, { action: "invoice" }), 200).body.data;
    expect(order).toMatchObject({
      status: "invoiced",
      needs_refund: false,
      payments: [{ status: "paid", gateway_payment_id: "pay_parked1", other_payment_ids: [] }],
    });
    const invoice = await getInvoice(shop.company, String(order.invoice_id));
    expect(invoice).toMatchObject({ total_amount: 1_180, tax_total: 180 });
    await expectWhole(shop);
  });

  test("owes back what came beside the exact money: another amount before, a second payment after", async () => {
    const shop = await openShop();
    const [mismatched, twice] = [await placeOrder(shop.company), await placeOrder(shop.company)];
    await pay(shop, mismatched, { amount: 9_000, id: "pay_wrong1" });
    const restore = await exhaust(shop.company);
    await pay(shop, mismatched, { id: "pay_exact1" });
    await pay(shop, mismatched, { amount: 8_000, id: "pay_wrong2" });
    await pay(shop, twice, { id: "pay_exact2" });
    await pay(shop, twice, { id: "pay_exact3" });
    await restore();
    for (const [placed, paid, others] of [
      [mismatched, "pay_exact1", ["pay_wrong1", "pay_wrong2"]],
      [twice, "pay_exact2", ["pay_exact3"]],
    ] as const) {
      expect(await read(shop, placed.order_id)).toMatchObject({ review_code: "effect_refused" });
      const order = must(await resolve(shop, placed.order_id, { action: "invoice" }), 200).body.data;
      expect(order).toMatchObject({
        status: "invoiced",
        needs_refund: true,
        payments: [
          { gateway_payment_id: expect.stringMatching(/^pay_exact/), other_payment_ids: expect.any(Array) },
        ],
      });
      expect(
        [order.payments[0]?.gateway_payment_id, ...(order.payments[0]?.other_payment_ids ?? [])].sort(),
      ).toEqual([paid, ...others].sort());
    }
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
    const order = must(await resolve(shop, id, { action: "invoice" }), 200).body.data;
    expect(order).toMatchObject({ status: "invoiced", customer_id: "2" });
    const invoice = await getInvoice(company, String(order.invoice_id));
    expect(invoice).toMatchObject({ total_amount: 118, customer: { id: "2", name: "Meera Nair" } });
    await expectWhole(shop);
  });

  test("of another code, of another amount, or of nothing that was paid is 409", async () => {
    const shop = await openShop();
    const [unpaid, wrong, paid] = [
      await placeOrder(shop.company),
      await placeOrder(shop.company),
      await placeOrder(shop.company),
    ];
    await pay(shop, wrong, { amount: 9_999 });
    await pay(shop, paid);
    for (const { order_id } of [unpaid, wrong, paid])
      expect(await resolve(shop, order_id, { action: "invoice" })).toMatchObject(invalid);
    await expectWhole(shop);
  });
});

describe("cancel", () => {
  test("ends an unpaid draft, and nothing that money came for or that has ended", async () => {
    const shop = await openShop();
    const { company } = shop;
    const [draft, wrong, paid] = [
      await placeOrder(company),
      await placeOrder(company),
      await placeOrder(company),
    ];
    await pay(shop, wrong, { amount: 9_999 });
    await pay(shop, paid);
    const order = must(await resolve(shop, draft.order_id, { action: "cancel" }), 200).body.data;
    expect(order).toMatchObject({
      status: "cancelled",
      payment_status: "unpaid",
      reviewed_at: expect.any(String),
    });
    for (const { order_id } of [draft, wrong, paid])
      expect(await resolve(shop, order_id, { action: "cancel" })).toMatchObject(invalid);
    await expectWhole(shop);
  });
});

describe("dismiss", () => {
  test("clears a code that is a note to oneself", async () => {
    const shop = await openShop();
    const product = await newProduct(shop.company, {
      selling_price: 100,
      track_stock: true,
      opening_stock: 1,
    });
    const items = [{ name: "x", quantity: 1, unit_price: 1, product_id: Number(product.id) }];
    const [first, second] = [
      await placeOrder(shop.company, { items }),
      await placeOrder(shop.company, { items }),
    ];
    await pay(shop, first);
    await pay(shop, second);
    expect(await resolve(shop, first.order_id, { action: "dismiss" })).toMatchObject(invalid);
    const order = must(await resolve(shop, second.order_id, { action: "dismiss" }), 200).body.data;
    expect(order).toMatchObject({
      status: "invoiced",
      payment_status: "paid",
      oversold: true,
      review_code: null,
      needs_review: false,
      outside_reference: null,
    });
    expect(Date.parse(String(order.reviewed_at))).toBeGreaterThan(Date.parse(order.created_at));
    expect(await resolve(shop, second.order_id, { action: "dismiss" })).toMatchObject(invalid);
    await expectWhole(shop);
  });

  test.each(["another amount", "an implausible tax"])(
    "of an order that waits with money, by %s, needs the reference by which it was given back, and ends the order",
    async (how) => {
      const shop = await openShop();
      const fields = how === "another amount" ? {} : { items: [free(1_000)], tax_amount: 450 };
      const placed = await placeOrder(shop.company, fields);
      await pay(shop, placed, how === "another amount" ? { amount: 9_999 } : {});
      const id = placed.order_id;
      const refused = await resolve(shop, id, { action: "dismiss", outside_reference: null });
      expect(refused.status).toBe(422);
      expect(refusedFields(refused)).toEqual({ outside_reference: "required" });
      const body = { action: "dismiss", outside_reference: "UTR 4711" };
      expect(must(await resolve(shop, id, body), 200).body.data).toMatchObject({
        status: "cancelled",
        payment_status: "unpaid",
        needs_review: false,
        needs_refund: false,
        outside_reference: "UTR 4711",
      });
      expect(await resolve(shop, id, body)).toMatchObject(invalid);
      expect(await unposted(shop)).toEqual([]);
      await expectWhole(shop);
    },
  );

  test("settles what was paid twice, and a later payment of the right amount owes nothing of what was settled", async () => {
    const shop = await openShop();
    const [twice, wrong] = [await placeOrder(shop.company), await placeOrder(shop.company)];
    await pay(shop, twice);
    await pay(shop, twice);
    expect(await read(shop, twice.order_id)).toMatchObject({ needs_refund: true, needs_review: false });
    const refused = await resolve(shop, twice.order_id, { action: "dismiss" });
    expect(refusedFields(refused)).toEqual({ outside_reference: "required" });
    const body = { action: "dismiss", outside_reference: "rfnd_1" };
    expect(must(await resolve(shop, twice.order_id, body), 200).body.data).toMatchObject({
      status: "invoiced",
      needs_refund: false,
      outside_reference: "rfnd_1",
    });
    await pay(shop, wrong, { amount: 9_999 });
    must(await resolve(shop, wrong.order_id, body), 200);
    await pay(shop, wrong);
    must(await resolve(shop, wrong.order_id, { action: "invoice" }), 200);
    expect(await read(shop, wrong.order_id)).toMatchObject({ status: "invoiced", needs_refund: false });
    await expectWhole(shop);
  });
});

test("money that was given back outside is not invoiced when its event comes again; other money is", async () => {
  const shop = await openShop();
  const placed = await placeOrder(shop.company);
  const restore = await exhaust(shop.company);
  await pay(shop, placed, { id: "pay_back1" });
  await restore();
  const id = placed.order_id;
  const body = { action: "dismiss", outside_reference: "rfnd_2" };
  must(await resolve(shop, id, body), 200);
  await pay(shop, placed, { id: "pay_back1" });
  expect(await read(shop, id)).toMatchObject({
    status: "cancelled",
    review_code: "effect_refused",
    invoice_id: null,
  });
  must(await resolve(shop, id, body), 200);
  const again = await exhaust(shop.company);
  await pay(shop, placed, { id: "pay_anew1" });
  await again();
  expect(must(await resolve(shop, id, { action: "invoice" }), 200).body.data).toMatchObject({
    status: "invoiced",
    needs_refund: false,
    payments: [{ gateway_payment_id: "pay_anew1" }],
  });
  await expectWhole(shop);
});

test("the note goes to the audit log; what does not belong to an action is refused", async () => {
  const { shop, id } = await implausible();
  const post = async (body: object) => refusedFields(await resolve(shop, id, body));
  expect(await post({ action: "refund" })).toEqual({ action: "invalid_value" });
  expect(await post({})).toEqual({ action: "required" });
  expect(await post({ action: "invoice", note: "x".repeat(501) })).toEqual({ note: "too_big" });
  expect(await post({ action: "dismiss", tax_amount: 1 })).toEqual({ tax_amount: "not_accepted" });
  expect(await post({ action: "invoice", outside_reference: "x" })).toEqual({
    outside_reference: "not_accepted",
  });
  const note = "Asked the shop:\n18 percent is right.";
  const key = { "Idempotency-Key": randomUUID() };
  const first = must(await resolve(shop, id, { action: "invoice", note }, key), 200);
  expect((await resolve(shop, id, { action: "invoice", note }, key)).text).toBe(first.text);
  const log = await shop.company.call<object[]>("GET", "/settings/:company/audit-log?limit=1");
  expect(must(log, 200).body.data).toMatchObject([{ action: "resolveOrder", record: String(id), note }]);
  expect(await resolve(shop, 999_999, { action: "cancel" })).toMatchObject({ status: 404 });
});

test("an order of a package that could not be granted is looked at, and dismissed", async () => {
  const shop = await openShop();
  const lesson = await newProduct(shop.company, {
    name: "Lesson",
    selling_price: 100,
    duration_minutes: 60,
    transmission: "auto",
  });
  const product = await newProduct(shop.company, {
    selling_price: 300,
    is_package: true,
    sessions: 5,
    lesson_product_id: lesson.id,
    is_storefront_visible: true,
  });
  const items = [{ name: "x", quantity: 1, unit_price: 1, product_id: Number(product.id) }];
  const placed = await placeOrder(shop.company, { items });
  const body = { is_storefront_visible: false, lesson_product_id: null };
  must(await shop.company.call("PATCH", `/products/:company/${product.id}`, { body }), 200);
  await pay(shop, placed);
  expect(await read(shop, placed.order_id)).toMatchObject({
    status: "invoiced",
    review_code: "packages_missing",
    needs_review: true,
  });
  const order = must(await resolve(shop, placed.order_id, { action: "dismiss" }), 200).body.data;
  expect(order).toMatchObject({ packages_missing: true, needs_review: false });
});

describe("two at once", () => {
  test.each([false, true])("of 20 resolvers exactly one wins; updated_at sent: %s", async (isSent) => {
    const { shop, id } = await implausible();
    const { updated_at } = await read(shop, id);
    const actions = [{ action: "invoice" }, { action: "dismiss", outside_reference: "UTR" }];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        resolve(shop, id, { ...actions[index % 2], ...(isSent ? { if_updated_at: updated_at } : {}) }),
      ),
    );
    expect(tally(answers)).toEqual({ 200: 1, 409: 19 });
    const codes = new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code));
    expect([...codes]).toEqual([isSent ? "version_conflict" : "invalid_status"]);
    const count = async (table: string) => (await rowsOf(shop.company, `SELECT id FROM ${table}`)).length;
    const isInvoiced = (await read(shop, id)).status === "invoiced" ? 1 : 0;
    expect([await count("invoices"), await count("payments")]).toEqual([isInvoiced, isInvoiced]);
    await expectWhole(shop);
  });

  test("an order that has changed since it was seen is 409 version_conflict", async () => {
    const { shop, id } = await implausible();
    const body = { action: "invoice", if_updated_at: "2026-01-01T00:00:00Z" };
    expect(await resolve(shop, id, body)).toMatchObject({ status: 409, body: { code: "version_conflict" } });
    must(await resolve(shop, id, { ...body, if_updated_at: (await read(shop, id)).updated_at }), 200);
  });

  test("resolvers and the gateway's events make one invoice at most, and lose no money", async () => {
    const shop = await openShop();
    const parked = await Promise.all(Array.from({ length: 6 }, () => placeOrder(shop.company)));
    const restore = await exhaust(shop.company);
    for (const [index, placed] of parked.entries()) await pay(shop, placed, { id: `pay_race${index}` });
    await restore();
    for (const [index, placed] of parked.entries()) {
      const payment = { id: `pay_race${index}` };
      const [resolved, ...events] = await Promise.all([
        resolve(shop, placed.order_id, { action: "invoice" }),
        ...[1, 2].map(() => deliver(shop.company, shop.connected, razorpayEvent(placed, { payment }))),
      ]);
      expect(tally(events)).toEqual({ 200: 2 });
      expect([200, 409]).toContain(resolved?.status);
      expect(await read(shop, placed.order_id)).toMatchObject({ status: "invoiced", needs_refund: false });
    }
    expect(await rowsOf(shop.company, "SELECT count(*) AS n FROM invoices")).toEqual([{ n: 6 }]);
    await expectWhole(shop);
  });

  test("a draft that is cancelled while its money comes ends invoiced, or waits for somebody", async () => {
    const shop = await openShop();
    for (let round = 0; round < 5; round += 1) {
      const placed = await placeOrder(shop.company);
      const [, cancelled] = await Promise.all([
        pay(shop, placed),
        resolve(shop, placed.order_id, { action: "cancel" }),
      ]);
      const ends = {
        200: { status: "cancelled", payment_status: "review", review_code: "effect_refused" },
        409: { status: "invoiced", payment_status: "paid", review_code: null },
      }[cancelled.status];
      expect(ends).toBeDefined();
      expect(await read(shop, placed.order_id)).toMatchObject(ends ?? {});
    }
    await expectWhole(shop);
  });
});
