import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf } from "../commerce.ts";
import { byAmount, newNote, payOut, voidNote } from "../credit-notes/notes.ts";
import { today } from "../money.ts";
import { openShop } from "../storefront/shop.ts";
import { giveBack, newRefund, paidOrder, type RefundRecord } from "./refunds.ts";

const shop = await openShop();
const { company } = shop;

async function sold() {
  const { paymentId, orderId } = await paidOrder(shop, "paid");
  const [row] = await rowsOf(company, "SELECT invoice_id FROM sales_orders WHERE id = ?", [orderId]);
  return { paymentId, orderId, invoiceId: String(row?.invoice_id) };
}
async function orderOf(id: number) {
  return must(await company.call("GET", `/orders/:company/${id}`), 200).body.data;
}
async function noteOver(invoiceId: string, amount: number) {
  const [item] = await rowsOf(company, "SELECT id FROM invoice_items WHERE invoice_id = ?", [invoiceId]);
  return newNote(company, invoiceId, byAmount(String(item?.id), amount));
}

test.each([100, 60])(
  "credit of %d was paid out before its payment was charged back: staff end the review of what no note can cover",
  async (paidOut) => {
    const { paymentId, orderId, invoiceId } = await sold();
    const note = await noteOver(invoiceId, paidOut);
    must(await payOut(company, note.id, { amount: paidOut, payout_date: today() }), 201);
    await giveBack(shop, paymentId, { source: "chargeback", amount: 10_000 });
    const path = `/refunds/:company?order_id=${orderId}`;
    const read = async () => must(await company.call<RefundRecord[]>("GET", path), 200).body.data[0];
    const id = (await read())?.id;
    const end = (sent: object) => company.call("POST", `/refunds/:company/${id}/dismiss`, { body: sent });
    if (paidOut < 100) {
      expect(await end({ note: "Early" })).toMatchObject({
        ...{ status: 422, body: { code: "credit_note_required" } },
      });
      await noteOver(invoiceId, 100 - paidOut);
    }
    expect(await orderOf(orderId)).toMatchObject({ review_code: "refunded_at_gateway" });
    expect(await end({ note: "" })).toMatchObject({ status: 422, body: { errors: [{ field: "note" }] } });
    const { data } = must(await end({ note: "Asked for by letter" }), 200).body;
    expect(data).toMatchObject({ needs_review: false, reviewed_at: expect.any(String) });
    expect(await orderOf(orderId)).toMatchObject({ review_code: null, needs_refund: false });
    const [audited] = await rowsOf(company, "SELECT action, note FROM audit_log ORDER BY id DESC LIMIT 1");
    expect(audited).toEqual({ action: "dismissRefundReview", note: "Asked for by letter" });
    const notes = await rowsOf(company, "SELECT id FROM credit_notes WHERE invoice_id = ?", [invoiceId]);
    for (const each of notes)
      expect(await voidNote(company, String(each.id))).toMatchObject({
        ...{ status: 409, body: { code: "credit_in_use" } },
      });
    expect(await end({ note: "Again" })).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    const check = await company.call<{ open: { ids: string[] }[] }>("GET", "/ledger/:company/self-check");
    expect(must(check, 200).body.data.open.flatMap(({ ids }) => ids)).not.toContain(String(id));
    await expectSound(company);
  },
);

test("a refund that needs no review has none to end", async () => {
  const body = { note: "None" };
  expect(await company.call("POST", "/refunds/:company/999/dismiss", { body })).toMatchObject({
    status: 404,
  });
  const { orderId } = await sold();
  const { id } = await newRefund(company, { order_id: String(orderId), reason: "sales_return" });
  expect(await company.call("POST", `/refunds/:company/${id}/dismiss`, { body })).toMatchObject({
    ...{ status: 409, body: { code: "invalid_status" } },
  });
});
