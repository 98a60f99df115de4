import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { rowsOf } from "../../commerce.ts";
import { refund, voidInvoice } from "../../money.ts";
import { openShop, placeOrder } from "../shop.ts";
import { advancesOf, expectWhole, pay, read, resolved, unposted } from "./review.ts";

const cancelled = { status: "cancelled", payment_status: "unpaid", review_code: null };
const waiting = {
  status: "cancelled",
  payment_status: "review",
  review_code: "effect_refused",
  invoice_id: null,
};

describe("money that comes for an order that staff ended", () => {
  async function ended(how: string) {
    const shop = await openShop();
    const placed = await placeOrder(shop.company);
    if (how === "dismissed") await pay(shop, placed, { amount: 9_999 });
    const body =
      how === "dismissed" ? { action: "dismiss", outside_reference: "UTR 1" } : { action: "cancel" };
    expect(await resolved(shop, placed.order_id, body)).toMatchObject(cancelled);
    await pay(shop, placed, { id: "pay_late1" });
    return { shop, placed, id: placed.order_id };
  }

  test.each(["cancelled", "dismissed"])("%s waits in review, and in Customer Advances", async (how) => {
    const { shop, placed, id } = await ended(how);
    expect(await read(shop, id)).toMatchObject({
      ...waiting,
      payments: [{ other_payment_ids: expect.arrayContaining(["pay_late1"]) }],
    });
    expect(await advancesOf(shop)).toMatchObject([
      { paid_for: "order", paid_for_id: String(id), gateway_payment_id: "pay_late1", advance_amount: 100 },
    ]);
    await pay(shop, placed, { id: "pay_late1" });
    expect(await read(shop, id)).toMatchObject(waiting);
    expect(await rowsOf(shop.company, "SELECT id FROM invoices")).toEqual([]);
    await expectWhole(shop);
  });

  test.each(["cancelled", "dismissed"])("%s is invoiced if staff want it after all", async (how) => {
    const { shop, id } = await ended(how);
    expect(await resolved(shop, id, { action: "invoice" })).toMatchObject({
      status: "invoiced",
      payment_status: "paid",
      payments: [{ gateway_payment_id: "pay_late1" }],
    });
    expect(await advancesOf(shop)).toEqual([]);
    expect(await unposted(shop)).toEqual([]);
    await expectWhole(shop);
  });
});

describe("a surplus on an order that waits in review", () => {
  test("is noted where its effect was refused too, and forgotten once all of it was given back", async () => {
    const shop = await openShop();
    const [kept, returned] = [await placeOrder(shop.company), await placeOrder(shop.company)];
    for (const { order_id: id } of [kept, returned]) await resolved(shop, id, { action: "cancel" });
    for (const placed of [kept, returned]) {
      await pay(shop, placed, { amount: 15_000 });
      expect(await read(shop, placed.order_id)).toMatchObject({ ...waiting, overcaptured_amount: 50 });
    }
    expect(await resolved(shop, kept.order_id, { action: "invoice" })).toMatchObject({
      status: "invoiced",
      review_code: "overcaptured",
      overcaptured_amount: 50,
    });
    const body = { action: "dismiss", outside_reference: "rfnd_3" };
    expect(await resolved(shop, returned.order_id, body)).toMatchObject({
      ...cancelled,
      overcaptured_amount: 0,
    });
    await expectWhole(shop);
  });
});

test.each(["refund", "void"])(
  "an order whose gateway payment is taken back by a %s owes its money",
  async (how) => {
    const shop = await openShop();
    const placed = await placeOrder(shop.company);
    await pay(shop, placed);
    const { invoice_id } = await read(shop, placed.order_id);
    const [payment] = await rowsOf(shop.company, "SELECT id FROM payments");
    expect(await read(shop, placed.order_id)).toMatchObject({ needs_refund: false });
    const taken = await (how === "refund"
      ? refund(shop.company, String(payment?.id))
      : voidInvoice(shop.company, String(invoice_id)));
    must(taken, 200);
    if (how === "void") expect(taken.body.data).toMatchObject({ warnings: ["gateway_money_not_returned"] });
    expect(await read(shop, placed.order_id)).toMatchObject({ status: "invoiced", needs_refund: true });
    const listed = await shop.company.call<object[]>("GET", "/orders/:company?needs_refund=true");
    expect(must(listed, 200).body.data).toMatchObject([{ id: String(placed.order_id) }]);
    const body = { action: "dismiss", outside_reference: "rfnd_4" };
    expect(await resolved(shop, placed.order_id, body)).toMatchObject({ needs_refund: false });
    await expectWhole(shop);
  },
);
