import { beforeAll, describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { gatewayFaults, play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { newInvoice, rowsOf } from "../commerce.ts";
import { applyNote, byAmount, newNote, payOut, voidNote } from "../credit-notes/notes.ts";
import { typesOf } from "../events/events.ts";
import { today } from "../money.ts";
import { newUnpaid, opened, openSeller, type Seller } from "../payments/online/unpaid.ts";
import { resolve } from "../storefront/orders/review.ts";
import { endAtGateway, giveBack, newRefund, paidOrder, paymentsOf } from "./refunds.ts";

let seller: Seller;
let company: TestCompany;
beforeAll(async () => {
  seller = await openSeller();
  company = seller.company;
});

type Due = { kind: string; ref_id: string; amount: number };
async function due(): Promise<string[]> {
  const answer = await company.call<Due[]>("GET", "/refunds/:company/due");
  return must(answer, 200).body.data.map(({ kind, ref_id, amount }) => `${kind} ${ref_id} ${amount}`);
}
async function owed(query = "needs_refund=true"): Promise<string[]> {
  const answer = await company.call<{ id: string }[]>("GET", `/orders/:company?${query}`);
  return must(answer, 200).body.data.map(({ id }) => id);
}
/** An order of 100.00 that a gateway paid, with its invoice. */
async function order() {
  const { orderId } = await paidOrder({ company, connected: seller.connected }, "paid");
  const [row] = await rowsOf(
    company,
    `SELECT invoice_id, customer_id, (SELECT id FROM invoice_items WHERE invoice_id = sales_orders.invoice_id) AS item_id
    FROM sales_orders WHERE id = ?`,
    [orderId],
  );
  const { invoice_id: invoiceId, customer_id: customerId, item_id: itemId } = row ?? {};
  return { orderId, invoiceId: String(invoiceId), customerId: String(customerId), itemId: String(itemId) };
}

describe("a credit note by hand of an order that a gateway paid is owed back until it is", () => {
  test("refunded, with the order or the note", async () => {
    const { orderId, invoiceId, itemId } = await order();
    const told = (await typesOf(company, "type=order.refund_needed")).length;
    const note = await newNote(company, invoiceId, byAmount(itemId, 40));
    expect(await owed()).toEqual([String(orderId)]);
    expect(await due()).toEqual([`order ${orderId} 40`]);
    expect(await typesOf(company, "type=order.refund_needed")).toHaveLength(told + 1);
    const sent = await newRefund(company, { order_id: orderId, reason: "deficiency" });
    expect(sent).toMatchObject({ status: "succeeded", amount: 40, credit_note_id: note.id });
    expect(await owed()).toEqual([]);
    expect(await owed("refund_status=partial")).toEqual([String(orderId)]);
    const rest = await newNote(company, invoiceId);
    await newRefund(company, { credit_note_id: rest.id, reason: "cancellation" });
    expect(await owed()).toEqual([]);
    expect(await owed("refund_status=refunded")).toEqual([String(orderId)]);
    await expectSound(company);
  });

  test("paid out, applied or voided", async () => {
    const { orderId, invoiceId, itemId, customerId } = await order();
    const out = await newNote(company, invoiceId, byAmount(itemId, 30));
    const applied = await newNote(company, invoiceId, byAmount(itemId, 20));
    const voided = await newNote(company, invoiceId, byAmount(itemId, 10));
    expect(await due()).toEqual([`order ${orderId} 60`]);
    must(await payOut(company, out.id, { amount: 30, payout_date: today() }), 201);
    expect(await due()).toEqual([`order ${orderId} 30`]);
    const other = await newInvoice(company, customerId);
    must(await applyNote(company, applied.id, other.id, 20), 200);
    expect(await owed()).toEqual([String(orderId)]);
    must(await voidNote(company, voided.id), 200);
    expect(await owed()).toEqual([]);
    must(await company.call("POST", `/invoices/:company/${other.id}/void`), 200);
    expect(await owed()).toEqual([String(orderId)]);
    await newRefund(company, { credit_note_id: applied.id, reason: "cancellation" });
    expect(await owed()).toEqual([]);
    await expectSound(company);
  });

  test("a refund that issues its own note is on its way: it is owed only where it fails", async () => {
    const { orderId } = await order();
    const told = (await typesOf(company, "type=order.refund_needed")).length;
    await newRefund(company, { order_id: orderId, amount: 40, reason: "deficiency" });
    expect(await owed()).toEqual([]);
    expect(await typesOf(company, "type=order.refund_needed")).toHaveLength(told);
    await gatewayFaults(company, seller.connected, { refund_refused: 1 });
    await newRefund(company, { order_id: orderId, amount: 30, reason: "deficiency" });
    await gatewayFaults(company, seller.connected, {});
    expect(await due()).toEqual([`order ${orderId} 30`]);
    await newRefund(company, { order_id: orderId, reason: "deficiency" });
    expect(await owed()).toEqual([]);
    await expectSound(company);
  });
});

describe("what is on its way is owed no more, and owed again where it fails:", () => {
  async function failing(fields: object) {
    const shop = { company, connected: seller.connected };
    await gatewayFaults(company, seller.connected, { refund_pending: 1 });
    const { gateway_refund_id: id } = await newRefund(company, {
      ...fields,
      reason: "other",
      reason_text: "A",
    });
    await gatewayFaults(company, seller.connected, {});
    expect(await owed()).toEqual([]);
    expect(await due()).toEqual([]);
    await endAtGateway(shop, id, "failed");
  }

  test("money that came twice", async () => {
    const twice = (await paidOrder({ company, connected: seller.connected })).orderId;
    expect(await owed()).toEqual([String(twice)]);
    await failing({ order_id: twice });
    expect(await owed()).toEqual([String(twice)]);
    await newRefund(company, { order_id: twice });
  });

  test("credit of a note by hand", async () => {
    const { orderId, invoiceId, itemId } = await order();
    const note = await newNote(company, invoiceId, byAmount(itemId, 40));
    await failing({ credit_note_id: note.id });
    expect(await due()).toEqual([`order ${orderId} 40`]);
    expect(await owed()).toEqual([String(orderId)]);
    await newRefund(company, { order_id: orderId });
    expect(await owed()).toEqual([]);
    await expectSound(company);
  });

  test("credit that its gateway's console gave back, and that staff dismissed", async () => {
    const shop = { company, connected: seller.connected };
    const { orderId, invoiceId, itemId } = await order();
    const [paid] = await paymentsOf(company, "order", String(orderId));
    const made = await giveBack(shop, paid?.payment ?? "", { source: "console", amount: 5_000 });
    await newNote(company, invoiceId, byAmount(itemId, 40));
    must(await resolve(shop, orderId, { action: "dismiss", outside_reference: "Console" }), 200);
    expect(await owed()).toEqual([]);
    await endAtGateway(shop, made.id, "failed");
    expect(await due()).toEqual([`order ${orderId} 40`]);
    expect(await owed()).toEqual([String(orderId)]);
    await expectSound(company);
    await newRefund(company, { order_id: orderId });
  });
});

test("unused credit of an invoice without an order is listed as the note's, as far as a gateway has its money", async () => {
  const unpaid = await newUnpaid(seller);
  await play(company, "razorpay", await opened(seller, unpaid), "paid");
  const note = await newNote(company, unpaid.invoice.id);
  expect(await due()).toEqual([`credit_note ${note.id} 354`]);
  await newRefund(company, { credit_note_id: note.id, reason: "cancellation", amount: 54 });
  expect(await due()).toEqual([`credit_note ${note.id} 300`]);
  await newRefund(company, { credit_note_id: note.id, reason: "cancellation" });
  expect(await due()).toEqual([]);
});
