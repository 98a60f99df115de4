import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { newInvoice, rowsOf } from "../commerce.ts";
import { applyNote, byAmount, newNote, payOut } from "../credit-notes/notes.ts";
import { newPayment, today } from "../money.ts";
import { newUnpaid, opened, openSeller } from "../payments/online/unpaid.ts";
import { endAtGateway, newRefund } from "./refunds.ts";
import { soldOrder, withFaults } from "./sales.ts";

const seller = await openSeller();
const company = seller.company;

/** An order of 100.00 that a gateway paid once, and the payment of its invoice. */
async function order() {
  const sale = await soldOrder(seller);
  const [row] = await rowsOf(company, "SELECT id FROM payments WHERE invoice_id = ?", [sale.invoiceId]);
  return { sale, payment: String(row?.id) };
}

const takeBack = (payment: string) => company.call("POST", `/payments/:company/${payment}/refund`);
const refused = (...notes: { id: string }[]) => ({
  ...{ status: 409, body: { code: "has_credit_notes", credit_note_ids: notes.map(({ id }) => id) } },
});

describe("a payment whose money went back by a credit note is not taken back", () => {
  test("refunded through its gateway, whole or in part", async () => {
    const { sale, payment } = await order();
    const part = await sale.note(40);
    await newRefund(company, { credit_note_id: part.id });
    expect(await takeBack(payment)).toMatchObject(refused(part));
    const rest = await sale.note();
    await newRefund(company, { credit_note_id: rest.id });
    expect(await takeBack(payment)).toMatchObject(refused(part, rest));
    expect(await sale.due()).toEqual([]);
    expect(await sale.sent()).toBe(100);
    await expectSound(company);
  });

  test("being refunded; once that failed it is", async () => {
    const { sale, payment } = await order();
    const note = await sale.note();
    const sent = await withFaults(seller, { refund_pending: 1 }, () =>
      newRefund(company, { credit_note_id: note.id }),
    );
    expect(await takeBack(payment)).toMatchObject(refused(note));
    await endAtGateway(seller, sent.gateway_refund_id, "failed");
    must(await takeBack(payment), 200);
    expect(await sale.due()).toEqual([100]);
    await sale.refund();
    expect(await sale.due()).toEqual([]);
    await expectSound(company);
  });

  test("paid out by hand", async () => {
    const { sale, payment } = await order();
    const note = await sale.note();
    must(await payOut(company, note.id, { amount: 100, payout_date: today() }), 201);
    expect(await takeBack(payment)).toMatchObject(refused(note));
    expect(await sale.due()).toEqual([]);
    await expectSound(company);
  });

  test("applied to another invoice", async () => {
    const { sale, payment } = await order();
    const note = await sale.note();
    const other = await newInvoice(company, sale.customerId);
    must(await applyNote(company, note.id, other.id, 60), 200);
    expect(await takeBack(payment)).toMatchObject(refused(note));
    must(await company.call("POST", `/invoices/:company/${other.id}/void`), 200);
    must(await takeBack(payment), 200);
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
