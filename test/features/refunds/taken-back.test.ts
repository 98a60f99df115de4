import { beforeAll, describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { gatewayFaults, play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { newInvoice, rowsOf } from "../commerce.ts";
import { applyNote, byAmount, newNote, payOut } from "../credit-notes/notes.ts";
import { newPayment, today } from "../money.ts";
import { newUnpaid, opened, openSeller, type Seller } from "../payments/online/unpaid.ts";
import { dueOf, endAtGateway, newRefund, paidOrder, postRefund, sentBackOf } from "./refunds.ts";

let seller: Seller;
let company: TestCompany;
beforeAll(async () => {
  seller = await openSeller();
  company = seller.company;
});

/** An order of 100.00 that a gateway paid once, with its invoice. */
async function order() {
  const { orderId, paymentId } = await paidOrder(seller, "paid");
  const [row] = await rowsOf(
    company,
    `SELECT payments.id, invoice_id, payments.customer_id, invoice_items.id AS item_id FROM payments
      JOIN invoice_items USING (invoice_id) WHERE gateway_payment_id = ?`,
    [paymentId],
  );
  return {
    ...{ orderId: String(orderId), gatewayPayment: paymentId, payment: String(row?.id) },
    ...{ invoice: String(row?.invoice_id), customer: String(row?.customer_id), item: String(row?.item_id) },
  };
}

const takeBack = (payment: string) => company.call("POST", `/payments/:company/${payment}/refund`);
const refused = (...notes: { id: string }[]) => ({
  ...{ status: 409, body: { code: "has_credit_notes", credit_note_ids: notes.map(({ id }) => id) } },
});

describe("a payment whose money went back by a credit note is not taken back", () => {
  test("refunded through its gateway, whole or in part", async () => {
    const { orderId, payment, invoice, item, gatewayPayment } = await order();
    const part = await newNote(company, invoice, byAmount(item, 40));
    await newRefund(company, { credit_note_id: part.id });
    expect(await takeBack(payment)).toMatchObject(refused(part));
    const rest = await newNote(company, invoice);
    await newRefund(company, { credit_note_id: rest.id });
    expect(await takeBack(payment)).toMatchObject(refused(part, rest));
    expect(await dueOf(company, orderId)).toEqual([]);
    const sent = await sentBackOf(seller, gatewayPayment);
    expect(sent.reduce((sum, { amount }) => sum + amount, 0)).toBe(10_000);
    await expectSound(company);
  });

  test("being refunded; once that failed it is", async () => {
    const { orderId, payment, invoice } = await order();
    const note = await newNote(company, invoice);
    await gatewayFaults(company, seller.connected, { refund_pending: 1 });
    const sent = await newRefund(company, { credit_note_id: note.id });
    await gatewayFaults(company, seller.connected, {});
    expect(await takeBack(payment)).toMatchObject(refused(note));
    await endAtGateway(seller, sent.gateway_refund_id, "failed");
    must(await takeBack(payment), 200);
    expect(await dueOf(company, orderId)).toEqual([100]);
    await newRefund(company, { order_id: orderId });
    expect(await dueOf(company, orderId)).toEqual([]);
    await expectSound(company);
  });

  test("paid out by hand", async () => {
    const { orderId, payment, invoice } = await order();
    const note = await newNote(company, invoice);
    must(await payOut(company, note.id, { amount: 100, payout_date: today() }), 201);
    expect(await takeBack(payment)).toMatchObject(refused(note));
    expect(await dueOf(company, orderId)).toEqual([]);
    await expectSound(company);
  });

  test("applied to another invoice", async () => {
    const { payment, invoice, customer } = await order();
    const note = await newNote(company, invoice);
    const other = await newInvoice(company, customer);
    must(await applyNote(company, note.id, other.id, 60), 200);
    expect(await takeBack(payment)).toMatchObject(refused(note));
    must(await company.call("POST", `/invoices/:company/${other.id}/void`), 200);
    must(await takeBack(payment), 200);
    await expectSound(company);
  });

  test("nor at the same moment", async () => {
    const { payment, invoice, gatewayPayment, orderId } = await order();
    const note = await newNote(company, invoice);
    const [taken, sent] = await Promise.all([
      takeBack(payment),
      postRefund(company, { credit_note_id: note.id }),
    ]);
    expect([taken.status, sent.status]).toEqual(taken.status === 200 ? [200, 422] : [409, 201]);
    if (taken.status === 200) await newRefund(company, { order_id: orderId });
    expect(await sentBackOf(seller, gatewayPayment)).toHaveLength(1);
    await expectSound(company);
  });
});

test("of two payments, the one that still has its money at the gateway is taken back", async () => {
  const unpaid = await newUnpaid(seller);
  await newPayment(company, { invoice_id: unpaid.invoice.id, amount: 254 });
  await play(company, "razorpay", await opened(seller, unpaid), "paid");
  const byHand = await rowsOf(company, "SELECT id FROM payments WHERE invoice_id = ? AND gateway IS NULL", [
    unpaid.invoice.id,
  ]);
  must(await takeBack(String(byHand[0]?.id)), 200);
  await play(company, "razorpay", await opened(seller, unpaid), "paid");
  const note = await newNote(company, unpaid.invoice.id, byAmount(unpaid.invoice.items[0]?.id, 50));
  await newRefund(company, { credit_note_id: note.id });
  const paid = await rowsOf(company, "SELECT id FROM payments WHERE invoice_id = ? AND deleted_at IS NULL", [
    unpaid.invoice.id,
  ]);
  const [first = "", second = ""] = paid.map(({ id }) => String(id));
  expect(await takeBack(first)).toMatchObject(refused(note));
  must(await takeBack(second), 200);
  await expectSound(company);
});

test("a payment by hand that bounced is taken back: its customer owes what was given back", async () => {
  const { invoice } = await newUnpaid(seller);
  const payment = await newPayment(company, { invoice_id: invoice.id, amount: 354 });
  const note = await newNote(company, invoice.id);
  must(await payOut(company, note.id, { amount: 354, payout_date: today() }), 201);
  must(await takeBack(payment.id), 200);
  await expectSound(company);
});
