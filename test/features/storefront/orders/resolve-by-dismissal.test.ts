import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { payOut } from "../../credit-notes/notes.ts";
import { refund, today, voidInvoice } from "../../money.ts";
import { openSeller } from "../../payments/online/unpaid.ts";
import { soldOrder } from "../../refunds/sales.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import { openShop, placeOrder, placeOrders, productLine } from "../shop.ts";
import {
  advancesOf,
  exhaust,
  expectWhole,
  implausible,
  invalid,
  pay,
  read,
  resolve,
  resolved,
  unposted,
} from "./review.ts";

describe("dismiss", () => {
  test("clears a code that is a note to oneself", async () => {
    const shop = await openShop();
    const items = [await productLine(shop.company, { track_stock: true, opening_stock: 1 })];
    const [first, second] = await placeOrders(shop.company, 2, { items });
    await pay(shop, first);
    await pay(shop, second);
    expect(await resolve(shop, first.order_id, { action: "dismiss" })).toMatchObject(invalid);
    const order = await resolved(shop, second.order_id, { action: "dismiss" });
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

  test("of an order that waits with money needs the reference by which it was given back, and ends the order", async () => {
    const { shop, id } = await implausible();
    const refused = await resolve(shop, id, { action: "dismiss", outside_reference: null });
    expectRefused(refused, { outside_reference: "required" });
    const body = { action: "dismiss", outside_reference: "UTR 4711" };
    expect(await resolved(shop, id, body)).toMatchObject({
      status: "cancelled",
      payment_status: "unpaid",
      needs_review: false,
      needs_refund: false,
      outside_reference: "UTR 4711",
    });
    expect(await resolve(shop, id, body)).toMatchObject(invalid);
    expect(await unposted(shop)).toEqual([]);
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
  expect(await resolved(shop, id, { action: "invoice" })).toMatchObject({
    status: "invoiced",
    needs_refund: false,
    payments: [{ gateway_payment_id: "pay_anew1" }],
  });
  await expectWhole(shop);
});

test.each(["paid", "twice"] as const)(
  "an order (%s) whose invoice has unused credit is dismissed only after its payout, which is in the books",
  async (outcome) => {
    const seller = await openSeller();
    const { company } = seller;
    const dismissal = { action: "dismiss", outside_reference: "UTR1", payment_mode_id: 2 };
    const { orderId, ...sale } = await soldOrder(seller, outcome);
    const note = await sale.note();
    const owed = outcome === "twice" ? 200 : 100;
    expect(await sale.due()).toEqual([owed]);
    expect(await resolve(seller, orderId, dismissal)).toMatchObject(
      refusal(409, "has_credit_notes", {
        message: expect.stringContaining("/payouts"),
        credit_note_ids: [note.id],
      }),
    );
    expect(await sale.due()).toEqual([owed]);
    must(await payOut(company, note.id, { amount: 100, payout_date: today() }), 201);
    if (outcome === "twice") {
      expect(await sale.due()).toEqual([100]);
      expect(await resolved(seller, orderId, dismissal)).toMatchObject({ needs_refund: false });
    }
    expect(await sale.due()).toEqual([]);
    expect((await sale.post()).status).toBe(422);
    const [out] = await company.rows(
      `SELECT sum(credit) AS paid FROM journal_entries entry JOIN journal_lines ON entry_id = entry.id
      WHERE (source_type, source_id) IN (SELECT 'credit_payout', id FROM credit_payouts WHERE credit_note_id = ?)
      OR (source_type, source_id) IN (SELECT 'advance', advances.id FROM advances
        JOIN gateway_captures capture ON capture.id = capture_id JOIN payment_intents intent ON intent.id = intent_id
        WHERE advances.kind = 'settled' AND ref_id = ?)`,
      note.id,
      sale.id,
    );
    expect(out?.paid).toBe(owed * 100);
    await expectSound(company);
  },
);

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
    expect(await shop.company.rows("SELECT id FROM invoices")).toEqual([]);
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

test("a surplus on an order that waits in review is noted where its effect was refused too, and forgotten once all of it was given back", async () => {
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

test.each(["refund", "void"])(
  "an order whose gateway payment is taken back by a %s owes its money",
  async (how) => {
    const shop = await openShop();
    const placed = await placeOrder(shop.company);
    await pay(shop, placed);
    const { invoice_id } = await read(shop, placed.order_id);
    const [payment] = await shop.company.rows("SELECT id FROM payments");
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
