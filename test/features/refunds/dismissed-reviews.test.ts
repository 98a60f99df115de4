import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf } from "../commerce.ts";
import { payOut, voidNote } from "../credit-notes/notes.ts";
import { today } from "../money.ts";
import { refusal } from "../refusal.ts";
import { openShop } from "../storefront/shop.ts";
import { giveBack } from "./refunds.ts";
import { newestRefund, soldOrder } from "./sales.ts";

const shop = await openShop();
const { company } = shop;

test.each([100, 60])(
  "credit of %d was paid out before its payment was charged back: staff end the review of what no note can cover",
  async (paidOut) => {
    const sale = await soldOrder(shop);
    const notes = [await sale.note(paidOut)];
    must(await payOut(company, notes[0]?.id ?? "", { amount: paidOut, payout_date: today() }), 201);
    await giveBack(shop, sale.paymentId, { source: "chargeback", amount: 10_000 });
    const { id } = await newestRefund(company);
    const end = (sent: object) => company.call("POST", `/refunds/:company/${id}/dismiss`, { body: sent });
    if (paidOut < 100) {
      expect(await end({ note: "Early" })).toMatchObject(refusal(422, "credit_note_required"));
      notes.push(await sale.note(100 - paidOut));
    }
    expect(await sale.read()).toMatchObject({ review_code: "refunded_at_gateway" });
    expect(await end({ note: "" })).toMatchObject({ status: 422, body: { errors: [{ field: "note" }] } });
    const { data } = must(await end({ note: "Asked for by letter" }), 200).body;
    expect(data).toMatchObject({ needs_review: false, reviewed_at: expect.any(String) });
    expect(await sale.read()).toMatchObject({ review_code: null, needs_refund: false });
    const [audited] = await rowsOf(company, "SELECT action, note FROM audit_log ORDER BY id DESC LIMIT 1");
    expect(audited).toEqual({ action: "dismissRefundReview", note: "Asked for by letter" });
    for (const { id: note } of notes)
      expect(await voidNote(company, note)).toMatchObject(refusal(409, "credit_in_use"));
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
  const { id } = await (await soldOrder(shop)).refund({ reason: "sales_return" });
  expect(await company.call("POST", `/refunds/:company/${id}/dismiss`, { body })).toMatchObject(
    refusal(409, "invalid_status"),
  );
});
