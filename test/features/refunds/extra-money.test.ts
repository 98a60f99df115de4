import { afterAll, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound, soundAtEnd } from "../../support/oracles.ts";
import { wrongField } from "../refusal.ts";
import { setRules } from "../school.ts";
import { invalid, resolve } from "../storefront/orders/review.ts";
import { openShop } from "../storefront/shop.ts";
import { endAtGateway, endLast } from "./refunds.ts";
import { NOTHING_LEFT, openLessons, soldOrder, withFaults } from "./sales.ts";

const refund = { action: "refund" };

describe("an order that was paid twice", async () => {
  const shop = await openShop();
  // What is due goes back; the sale is not credited.
  afterAll(async () => {
    expect(await shop.company.rows("SELECT id FROM credit_notes")).toEqual([]);
    await expectSound(shop.company);
  });

  test("is resolved once also while its refund is on its way", async () => {
    const sale = await soldOrder(shop, "twice");
    must(await withFaults(shop, { refund_pending: 1 }, () => resolve(shop, sale.orderId, refund)), 200);
    expect(await sale.read()).toMatchObject({ needs_refund: false, refund_status: "pending" });
    expect(await resolve(shop, sale.orderId, refund)).toMatchObject(invalid);
    await endLast(shop, "succeeded");
  });

  test.each(["duplicate_payment", "late_payment"])(
    "gives nothing more back for the reason %s once that is back",
    async (reason) => {
      const sale = await soldOrder(shop, "twice");
      expect(await sale.refund({ reason })).toMatchObject({ amount: 100, credit_note_id: null });
      for (const more of [{}, { amount: 10 }])
        expect(await sale.post({ reason, ...more })).toMatchObject(NOTHING_LEFT);
      expect(await sale.post({ reason, items: [{ item: 1, quantity: 1 }] })).toMatchObject(
        wrongField("items", "not_accepted"),
      );
    },
  );

  test("whose surplus is back gives back no more by a resolution", async () => {
    const sale = await soldOrder(shop, "twice");
    await shop.company.rows("UPDATE sales_orders SET review_code = 'overcaptured' WHERE id = ?", sale.id);
    await sale.refund();
    expect(await sale.read()).toMatchObject({
      review_code: "overcaptured",
      needs_refund: false,
    });
    expect(await resolve(shop, sale.orderId, refund)).toMatchObject(invalid);
    must(await resolve(shop, sale.orderId, { action: "dismiss" }), 200);
  });

  test("the reason other needs a text that can be seen", async () => {
    const sale = await soldOrder(shop, "twice");
    for (const reason_text of [null, "", "  \n ", "\u200b", " \u2060\u00ad\ufeff"])
      expect(await sale.post({ reason: "other", reason_text })).toMatchObject(
        wrongField("reason_text", "required"),
      );
  });
});

describe("a booking that was paid twice", async () => {
  const lessons = soundAtEnd(await openLessons());
  const { company, shop } = lessons;
  const back = { reason: "duplicate_payment" };

  test.each([false, true])("keeps its document and its lesson (invoices: %s)", async (issue_invoices) => {
    await setRules(company, { issue_invoices });
    const sale = await lessons.sold("twice");
    const documents = () =>
      company.rows(
        `SELECT ended_by, status FROM lesson_sales LEFT JOIN invoices ON invoices.id = invoice_id WHERE booking_id = ?`,
        sale.id,
      );
    const before = await documents();
    expect(before).toHaveLength(1);
    expect(await sale.read()).toMatchObject({ needs_review: true });
    expect(await sale.refund(back)).toMatchObject({
      ...{ amount: sale.price, credit_note_id: null, sibling_ids: [] },
    });
    expect(await sale.post()).toMatchObject(NOTHING_LEFT);
    expect(await documents()).toEqual(before);
    expect(await sale.read()).toMatchObject({
      ...{ status: "confirmed", payment_status: "paid", refunded_amount: sale.price, needs_review: false },
    });
  });

  test("is reviewed until the money is back, and for another cause after that", async () => {
    const [sale, other] = [await lessons.sold("twice"), await lessons.sold("twice")];
    await company.rows("UPDATE bookings SET needs_review = 1 WHERE id = ?", other.id);
    const pending = await withFaults(shop, { refund_pending: 1 }, () => sale.refund(back));
    expect(await sale.read()).toMatchObject({ needs_review: true });
    await endAtGateway(shop, pending.gateway_refund_id, "succeeded");
    expect(await sale.read()).toMatchObject({ needs_review: false });
    await other.refund(back);
    expect(await other.read()).toMatchObject({ needs_review: true });
  });
});
