import { beforeEach, describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { connectGateway } from "../../support/gateways.ts";
import { FROM_OUTSIDE } from "../../support/messages.ts";
import { expectSound } from "../../support/oracles.ts";
import { getInvoice, newCustomer, newInvoice, patchCustomer, postCustomer } from "../commerce.ts";
import { newPayment, newProduct, postPayment, refund, today, voidInvoice } from "../money.ts";
import { deliver, openShop, placeOrder, razorpayEvent } from "../storefront/shop.ts";
import { type EventRecord, eventsOf as everyEventOf, faultyEvents } from "./events.ts";

// The newest event of the tests before, which share the company.
let latest: number;
const shop = await openShop();
const { company } = shop;
beforeEach(async () => {
  const [row] = await company.rows("SELECT coalesce(max(sequence), 0) AS latest FROM events");
  latest = Number(row?.latest);
});

/** The events of this test, newest first. */
async function eventsOf(of: TestCompany, query = ""): Promise<EventRecord[]> {
  const events = await everyEventOf(of, query);
  return of === company ? events.filter(({ sequence }) => Number(sequence) > latest) : events;
}

/** Their types, in the order in which they were committed. */
async function typesOf(of: TestCompany, query = ""): Promise<string[]> {
  return (await eventsOf(of, query)).map(({ type }) => type).reverse();
}

const bottle = { item_name: "Bottle", quantity: 1, unit: "NOS", unit_price: 10, tax_rate: 0 };

const DAY_S = 86_400;
const PATIENT = { timeout: 60_000, interval: 100 };

test("a gateway's event that comes 20 times makes one of each event, by the system", async () => {
  const { connected } = shop;
  const placed = await placeOrder(company);
  const paid = razorpayEvent(placed);
  for (let again = 0; again < 20; again += 1)
    expect((await deliver(company, connected, paid)).status).toBe(200);
  expect((await typesOf(company)).sort()).toEqual(
    [
      ...["customer.created", "order.created"],
      ...["invoice.created", "invoice.paid", "order.paid", "payment.recorded"],
    ].sort(),
  );
  const [event] = await eventsOf(company, "type=order.paid");
  expect(event).toMatchObject({
    actor: { type: "system", id: "paymentEvent" },
    data: { status: "invoiced", payment_status: "paid" },
    previous: { status: "draft" },
  });
  const [issued] = await eventsOf(company, "type=invoice.created");
  const [recorded] = await eventsOf(company, "type=payment.recorded");
  const related = { order_id: String(placed.order_id), payment_id: recorded?.data.id };
  expect(issued?.related).toEqual(related);
  expect((await eventsOf(company, "type=invoice.paid"))[0]?.related).toEqual(related);
  expect(await faultyEvents(company)).toBe(0);
  await expectSound(company);
});

test("a void leaves events of the invoice and its payments, and none of a reopening", async () => {
  const customer = await newCustomer(company);
  const { id } = await newInvoice(company, customer.id);
  await newPayment(company, { invoice_id: id, amount: 100 });
  await newPayment(company, { invoice_id: id, amount: 50 });
  await newPayment(company, { invoice_id: id, amount: 204 });
  must(await voidInvoice(company, id), 200);
  expect(await typesOf(company)).toEqual([
    ...["customer.created", "invoice.created"],
    ...["invoice.partly_paid", "payment.recorded", "payment.recorded", "invoice.paid", "payment.recorded"],
    ...["invoice.voided", "payment.refunded", "payment.refunded", "payment.refunded"].sort(),
  ]);
  const refunded = await eventsOf(company, "type=payment.refunded");
  expect(refunded.map(({ data, related }) => [data.amount, related])).toEqual(
    [204, 50, 100].map((amount) => [amount, { invoice_id: id }]),
  );
});

test("an invoice over nothing is created and paid", async () => {
  const customer = await newCustomer(company);
  await newInvoice(company, customer.id, { items: [{ ...bottle, unit_price: 0 }] });
  expect(await typesOf(company, "resource=invoice")).toEqual(["invoice.created", "invoice.paid"]);
});

test("stock that falls to its threshold leaves one event, until it was above it again", async () => {
  const customer = await newCustomer(company);
  const product = await newProduct(company, { track_stock: true, opening_stock: 10, low_stock_threshold: 5 });
  const sell = (quantity: number) =>
    newInvoice(company, customer.id, { items: [{ ...bottle, product_id: product.id, quantity }] });
  await sell(4);
  expect(await typesOf(company, "type=stock.low")).toEqual([]);
  await sell(1);
  await sell(1);
  expect(await typesOf(company, "type=stock.low")).toEqual(["stock.low"]);
  const [low] = await eventsOf(company, "type=stock.low");
  expect(low?.data).toMatchObject({ id: product.id, current_stock: 5 });
});

test("a refused write leaves no event, a retry none more, and a change of nothing none", async () => {
  const customer = await newCustomer(company);
  expect((await postCustomer(company, { pincode: "1" })).status).toBe(422);
  const invoice = await newInvoice(company, customer.id);
  expect((await postPayment(company, { invoice_id: invoice.id, amount: 9_999 })).status).toBe(422);
  const headers = { "Idempotency-Key": "once" };
  const body = { name: "Asha Stores", state: "Kerala", pincode: "682001" };
  for (let again = 0; again < 3; again += 1)
    must(await company.call("POST", "/customers/:company", { body, headers }), 201);
  must(await patchCustomer(company, customer.id, { name: customer.name }), 200);
  expect(await typesOf(company)).toEqual(["customer.created", "invoice.created", "customer.created"]);
});

test("an answer that is lost leaves one event", async () => {
  await company.faults({ kind: "reset_after", times: 1, writes_only: true });
  await newCustomer(company);
  expect(await typesOf(company)).toEqual(["customer.created"]);
});

test("types on demand are recorded while they are wanted", async () => {
  const product = await newProduct(company, { track_stock: true, opening_stock: 10 });
  expect(await typesOf(company, "type=stock.moved")).toEqual([]);
  await company.rows("INSERT INTO event_types_wanted (type) VALUES ('stock.moved')");
  const customer = await newCustomer(company);
  await newInvoice(company, customer.id, { items: [{ ...bottle, product_id: product.id }] });
  await company.rows("DELETE FROM event_types_wanted");
  const [moved] = await eventsOf(company, "type=stock.moved");
  const movements = await company.rows(
    "SELECT id FROM stock_movements WHERE product_id = ? ORDER BY id",
    product.id,
  );
  expect(movements).toHaveLength(2);
  expect(moved).toMatchObject({
    data: { id: product.id, current_stock: 9 },
    related: { movement_id: String(movements[1]?.id) },
  });
});

test("a connected gateway alone leaves no event", async () => {
  await connectGateway(company, "stripe");
  expect(await typesOf(company)).toEqual([]);
});

describe("a message", () => {
  test("that may be sent to no recipient fails in the batch that stores it, with an event of its call", async () => {
    const to = "asha@example.com";
    must(await company.call("POST", "/settings/:company/suppressions", { body: { email: to } }), 201);
    const body = { to, subject: "Ready", html: "<p>Ready</p>" };
    const sent = must(await company.call("POST", "/messaging/:company/email", { body }), 202);
    const [failed] = await eventsOf(company, "type=message.failed");
    expect(failed).toMatchObject({
      request_id: sent.headers.get("X-Request-Id"),
      data: { status: "failed", to: [to] },
    });
    expect(await faultyEvents(company)).toBe(0);
  });

  test("that a person writes leaves one event, whose data is erased with the text", async () => {
    const comes = FROM_OUTSIDE["/messaging/:company/inbound"];
    const id = await comes?.(company);
    const path = `/messaging/:company/inbound/${id}`;
    const inbound = must(await company.call<{ id: string }>("GET", path), 200).body.data;
    const [received] = await eventsOf(company, "type=message.received");
    expect(received).toMatchObject({ data: inbound, actor: { type: "system" }, data_omitted: false });
    expect(await typesOf(company)).toEqual(["message.received"]);
    await company.rows("UPDATE inbound_messages SET text = NULL");
    const [later] = await eventsOf(company, "type=message.received");
    expect(later).toMatchObject({ data: { id: inbound.id }, data_omitted: true });
    expect(await faultyEvents(company)).toBe(0);
  });
});

test("the clock records once that an invoice is overdue, and again once it was paid in full and reopened", async () => {
  const company = await openCompany();
  const customer = await newCustomer(company);
  const { id } = await newInvoice(company, customer.id, { due_date: today() });
  const voided = await newInvoice(company, customer.id, { due_date: today() });
  must(await voidInvoice(company, voided.id), 200);
  await company.clock(DAY_S + 2 * 3_600 + DAY_S);
  const overdue = () => typesOf(company, "type=invoice.overdue");
  await expect.poll(overdue, PATIENT).toHaveLength(1);
  await company.clock(4 * DAY_S);
  const [event] = await eventsOf(company, "type=invoice.overdue");
  expect(event?.data).toMatchObject({ id, is_overdue: true });
  const invoice = await getInvoice(company, id);
  const { amount_due: amount, due_date: payment_date } = invoice;
  const paid = await newPayment(company, { invoice_id: id, amount, payment_date });
  const since = async () => (await company.rows("SELECT overdue_since FROM invoices WHERE id = ?", id))[0];
  expect(await since()).toEqual({ overdue_since: null });
  must(await refund(company, paid.id), 200);
  await company.clock(7 * DAY_S);
  await expect.poll(overdue, PATIENT).toHaveLength(2);
  expect(await faultyEvents(company)).toBe(0);
});
