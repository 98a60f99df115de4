import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { newInvoice, rowsOf } from "../commerce.ts";
import { applyNote, byAmount, newNote, payOut, voidNote } from "../credit-notes/notes.ts";
import { today } from "../money.ts";
import { openShop } from "../storefront/shop.ts";
import { endAtGateway, giveBack, ledgerOf, newRefund, paidOrder, postRefund } from "./refunds.ts";

describe("a credit note and money that the gateway gave back by itself are the same money", async () => {
  const shop = await openShop();
  const { company } = shop;

  async function sold(outcome: "paid" | "twice" = "paid") {
    const { paymentId, orderId } = await paidOrder(shop, outcome);
    const [row] = await rowsOf(company, "SELECT invoice_id FROM sales_orders WHERE id = ?", [orderId]);
    return { paymentId, orderId, invoiceId: String(row?.invoice_id) };
  }
  async function stateOf(orderId: number) {
    const { data } = must(await company.call<object>("GET", `/orders/:company/${orderId}`), 200).body;
    const due = must(
      await company.call<{ ref_id: string; amount: number }[]>("GET", "/refunds/:company/due"),
      200,
    );
    return {
      ...data,
      due: due.body.data.filter(({ ref_id: id }) => id === String(orderId)).map(({ amount }) => amount),
    };
  }
  const sentOf = async (paymentId: string) =>
    (await ledgerOf(shop))
      .filter(({ payment_id: id }) => id === paymentId)
      .reduce((sum, { amount }) => sum + amount, 0);
  async function noteOver(invoiceId: string, amount: number) {
    const [item] = await rowsOf(company, "SELECT id FROM invoice_items WHERE invoice_id = ?", [invoiceId]);
    const note = await newNote(company, invoiceId, byAmount(String(item?.id), amount));
    expect(note.total_amount).toBe(amount);
  }

  test("a note that was issued before covers it", async () => {
    const { paymentId, orderId, invoiceId } = await sold();
    await noteOver(invoiceId, 60);
    expect(await stateOf(orderId)).toMatchObject({ needs_refund: true, due: [60] });
    await giveBack(shop, paymentId, { source: "console", amount: 6_000 });
    expect(await stateOf(orderId)).toMatchObject({ needs_refund: false, review_code: null, due: [] });
    expect(await sentOf(paymentId)).toBe(6_000);
    await expectSound(company);
  });

  test.each([
    ["less than what", 2_000, 4_000],
    ["what", 3_000, 3_000],
  ])("a refund that fails late frees %s a console took: nothing is owed", async (_much, sent, taken) => {
    const { paymentId, orderId } = await sold();
    const body = { order_id: String(orderId), amount: sent / 100, reason: "deficiency" };
    const { gateway_refund_id: id } = await newRefund(company, body);
    await giveBack(shop, paymentId, { source: "console", amount: taken });
    await endAtGateway(shop, id, "failed");
    expect(await stateOf(orderId)).toMatchObject({ needs_refund: false, due: [] });
    const needed = "SELECT 1 FROM events WHERE type = 'order.refund_needed' AND record_id = ?";
    expect(await rowsOf(company, needed, [orderId])).toEqual([]);
    await expectSound(company);
  });

  test("one note covers several", async () => {
    const { paymentId, orderId } = await sold();
    for (const amount of [1_000, 2_000]) await giveBack(shop, paymentId, { source: "console", amount });
    await newRefund(company, { order_id: String(orderId), reason: "sales_return" });
    expect(await stateOf(orderId)).toMatchObject({
      ...{ refund_status: "refunded", refunded_amount: 100, needs_refund: false, review_code: null, due: [] },
    });
    const [note] = await rowsOf(
      company,
      "SELECT unapplied_amount FROM credit_notes ORDER BY id DESC LIMIT 1",
    );
    expect(note).toEqual({ unapplied_amount: 0 });
    await expectSound(company);
  });

  test.each(["before it", "after it"])("two notes that were issued %s cover it together", async (when) => {
    const { paymentId, orderId, invoiceId } = await sold();
    const notes = async () => {
      await noteOver(invoiceId, 40);
      if (when === "after it")
        expect(await stateOf(orderId)).toMatchObject({ review_code: "refunded_at_gateway" });
      await noteOver(invoiceId, 20);
    };
    if (when === "before it") await notes();
    const made = await giveBack(shop, paymentId, { source: "console", amount: 5_000 });
    if (when === "after it") await notes();
    expect(await stateOf(orderId)).toMatchObject({ review_code: null, needs_refund: true, due: [10] });
    const left = async () => {
      const rows = await rowsOf(
        company,
        "SELECT id, unapplied_amount FROM credit_notes WHERE invoice_id = ? ORDER BY id",
        [invoiceId],
      );
      return rows.map(({ id, unapplied_amount: amount }) => ({ id: String(id), left: Number(amount) }));
    };
    const [first, second] = await left();
    expect((first?.left ?? 0) + (second?.left ?? 0)).toBe(1_000);
    for (const note of [first, second]) {
      const path = `/refunds/:company?credit_note_id=${note?.id}`;
      const { data } = must(await company.call<{ gateway_refund_id: string }[]>("GET", path), 200).body;
      expect(data.map(({ gateway_refund_id: id }) => id)).toEqual([made.id]);
      expect(await voidNote(company, String(note?.id))).toMatchObject({
        status: 409,
        body: { code: "credit_in_use" },
      });
    }
    await expectSound(company);
    // The bank sends it back: both notes have their credit again.
    await endAtGateway(shop, made.id, "failed");
    expect((await left()).map(({ left }) => left)).toEqual([4_000, 2_000]);
    expect(await stateOf(orderId)).toMatchObject({ needs_refund: true, due: [60] });
    await expectSound(company);
  });

  test("several refunds are covered as far as the notes reach, the smallest first", async () => {
    const { paymentId, orderId, invoiceId } = await sold();
    for (const amount of [3_000, 5_000]) await giveBack(shop, paymentId, { source: "console", amount });
    const owed = async () => {
      const rows = await rowsOf(
        company,
        "SELECT owed FROM uncovered_refunds_of_invoices WHERE invoice_id = ? ORDER BY owed",
        [invoiceId],
      );
      return rows.map((row) => row.owed);
    };
    await noteOver(invoiceId, 20);
    expect(await owed()).toEqual([3_000, 5_000]);
    await noteOver(invoiceId, 15);
    expect(await owed()).toEqual([5_000]);
    await noteOver(invoiceId, 45);
    expect(await owed()).toEqual([]);
    expect(await stateOf(orderId)).toMatchObject({ review_code: null, needs_refund: false, due: [] });
    await expectSound(company);
  });

  test("a smaller note is not paid out, and pays no other invoice", async () => {
    const { paymentId, orderId, invoiceId } = await sold();
    await giveBack(shop, paymentId, { source: "console", amount: 5_000 });
    await noteOver(invoiceId, 40);
    const [note] = await rowsOf(company, "SELECT id, customer_id FROM credit_notes ORDER BY id DESC LIMIT 1");
    const id = String(note?.id);
    const other = await newInvoice(company, String(note?.customer_id));
    const gone = { status: 422, body: { code: "credit_exhausted", unapplied_amount: 0 } };
    expect(await payOut(company, id, { amount: 40, payout_date: today() })).toMatchObject(gone);
    expect(await applyNote(company, id, other.id, 40)).toMatchObject(gone);
    // Another note leaves 10.00 above what the gateway gave back.
    await noteOver(invoiceId, 20);
    expect(await payOut(company, id, { amount: 10.01, payout_date: today() })).toMatchObject({
      ...{ status: 422, body: { code: "credit_exhausted", unapplied_amount: 10 } },
    });
    must(await payOut(company, id, { amount: 4, payout_date: today() }), 201);
    must(await applyNote(company, id, other.id, 6), 200);
    expect(await stateOf(orderId)).toMatchObject({ due: [] });
    await expectSound(company);
  });

  test("a smaller note is not sent once more", async () => {
    const before = await balancesOf(company);
    const { paymentId, orderId, invoiceId } = await sold();
    await giveBack(shop, paymentId, { source: "console", amount: 5_000 });
    await noteOver(invoiceId, 40);
    expect(await stateOf(orderId)).toMatchObject({
      ...{ review_code: "refunded_at_gateway", needs_refund: false, due: [] },
    });
    const [note] = await rowsOf(company, "SELECT id FROM credit_notes ORDER BY id DESC LIMIT 1");
    expect(
      await postRefund(company, { credit_note_id: String(note?.id), reason: "deficiency" }),
    ).toMatchObject({
      ...{ status: 422, body: { code: "refund_exceeds_payment", refundable_amount: 0 } },
    });
    // The rest of the sale, with a note that covers what the gateway gave back.
    await newRefund(company, { order_id: String(orderId), reason: "sales_return" });
    expect(await sentOf(paymentId)).toBe(10_000);
    expect(await stateOf(orderId)).toMatchObject({ needs_refund: false, review_code: null, due: [] });
    expect(await balancesOf(company)).toMatchObject({
      "Razorpay Clearing": before["Razorpay Clearing"] ?? 0,
    });
    await expectSound(company);
  });

  test("what a part of the rest frees of an older note is due", async () => {
    const { paymentId, orderId, invoiceId } = await sold();
    await giveBack(shop, paymentId, { source: "console", amount: 1_000 });
    await noteOver(invoiceId, 8);
    await newRefund(company, { order_id: String(orderId), reason: "sales_return", amount: 50 });
    expect(await sentOf(paymentId)).toBe(6_000);
    expect(await stateOf(orderId)).toMatchObject({ needs_refund: false, review_code: null, due: [] });
    await newRefund(company, { order_id: String(orderId), reason: "sales_return" });
    expect(await sentOf(paymentId)).toBe(10_000);
    await expectSound(company);
  });

  test("lines go back with what they free of an older note", async () => {
    const { paymentId, orderId, invoiceId } = await sold();
    await giveBack(shop, paymentId, { source: "console", amount: 1_000 });
    await noteOver(invoiceId, 8);
    const items = [{ item: 1, quantity: 1 }];
    await newRefund(company, { order_id: String(orderId), reason: "sales_return", items });
    expect(await stateOf(orderId)).toMatchObject({ needs_refund: false, refunded_amount: 100, due: [] });
    expect(await sentOf(paymentId)).toBe(10_000);
    await expectSound(company);
  });

  test("what is due of two notes and of a second payment goes back with one call", async () => {
    const { paymentId, orderId, invoiceId } = await sold("twice");
    for (const amount of [20, 30]) await noteOver(invoiceId, amount);
    expect(await stateOf(orderId)).toMatchObject({ needs_refund: true, due: [150] });
    expect(
      await postRefund(company, { order_id: String(orderId), reason: "sales_return", amount: 150.01 }),
    ).toMatchObject({ status: 422, body: { code: "refund_exceeds_payment", refundable_amount: 150 } });
    await newRefund(company, { order_id: String(orderId), reason: "sales_return", amount: 110 });
    expect(await stateOf(orderId)).toMatchObject({ needs_refund: true, due: [40] });
    await newRefund(company, { order_id: String(orderId), reason: "sales_return" });
    expect(await stateOf(orderId)).toMatchObject({ needs_refund: false, refunded_amount: 150, due: [] });
    expect(await sentOf(paymentId)).toBe(10_000);
    await expectSound(company);
  });
});
