import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { rowsOf } from "../../commerce.ts";
import { payOut } from "../../credit-notes/notes.ts";
import { today } from "../../money.ts";
import { openSeller } from "../../payments/online/unpaid.ts";
import { soldOrder } from "../../refunds/sales.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import { openShop, placeOrder, placeOrders, productLine } from "../shop.ts";
import {
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
    const [out] = await rowsOf(
      company,
      `SELECT sum(credit) AS paid FROM journal_entries entry JOIN journal_lines ON entry_id = entry.id
      WHERE (source_type, source_id) IN (SELECT 'credit_payout', id FROM credit_payouts WHERE credit_note_id = ?)
      OR (source_type, source_id) IN (SELECT 'advance', advances.id FROM advances
        JOIN gateway_captures capture ON capture.id = capture_id JOIN payment_intents intent ON intent.id = intent_id
        WHERE advances.kind = 'settled' AND ref_id = ?)`,
      [note.id, sale.id],
    );
    expect(out?.paid).toBe(owed * 100);
    await expectSound(company);
  },
);
