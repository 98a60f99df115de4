import { afterEach, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { newInvoice } from "../commerce.ts";
import { applyNote, payOut, voidNote } from "../credit-notes/notes.ts";
import { today } from "../money.ts";
import { refusal } from "../refusal.ts";
import { openShop } from "../storefront/shop.ts";
import { endAtGateway, postRefund } from "./refunds.ts";
import { NOTHING_LEFT, type Sale, soldOrder } from "./sales.ts";

describe("a credit note and money that the gateway gave back by itself are the same money", async () => {
  const shop = await openShop();
  const { company } = shop;
  afterEach(() => expectSound(company));

  const stateOf = async ({ read, due }: Sale) => ({ ...(await read()), due: await due() });
  async function noteOver({ note }: Sale, amount: number) {
    const made = await note(amount);
    expect(made.total_amount).toBe(amount);
    return made;
  }

  test.each([
    ["less than what", 20, 40],
    ["what", 30, 30],
  ])("a refund that fails late frees %s a console took: nothing is owed", async (_much, sent, taken) => {
    const sale = await soldOrder(shop);
    const { gateway_refund_id: id } = await sale.refund({ amount: sent, reason: "deficiency" });
    await sale.console(taken);
    await endAtGateway(shop, id, "failed");
    expect(await stateOf(sale)).toMatchObject({ needs_refund: false, due: [] });
    const needed = "SELECT 1 FROM events WHERE type = 'order.refund_needed' AND record_id = ?";
    expect(await company.rows(needed, sale.id)).toEqual([]);
  });

  test.each(["before it", "after it"])("two notes that were issued %s cover it together", async (when) => {
    const sale = await soldOrder(shop);
    const notes = async () => {
      await noteOver(sale, 40);
      if (when === "after it")
        expect(await stateOf(sale)).toMatchObject({ review_code: "refunded_at_gateway" });
      await noteOver(sale, 20);
    };
    if (when === "before it") await notes();
    const made = await sale.console(50);
    if (when === "after it") await notes();
    expect(await stateOf(sale)).toMatchObject({ review_code: null, needs_refund: true, due: [10] });
    const left = async () => {
      const rows = await company.rows(
        "SELECT id, unapplied_amount FROM credit_notes WHERE invoice_id = ? ORDER BY id",
        sale.invoiceId,
      );
      return rows.map(({ id, unapplied_amount: amount }) => ({ id: String(id), left: Number(amount) }));
    };
    const [first, second] = await left();
    expect((first?.left ?? 0) + (second?.left ?? 0)).toBe(1_000);
    for (const note of [first, second]) {
      const path = `/refunds/:company?credit_note_id=${note?.id}`;
      const { data } = must(await company.call<{ gateway_refund_id: string }[]>("GET", path), 200).body;
      expect(data.map(({ gateway_refund_id: id }) => id)).toEqual([made.id]);
      expect(await voidNote(company, String(note?.id))).toMatchObject(refusal(409, "credit_in_use"));
    }
    await expectSound(company);
    // The bank sends it back: both notes have their credit again.
    await endAtGateway(shop, made.id, "failed");
    expect((await left()).map(({ left }) => left)).toEqual([4_000, 2_000]);
    expect(await stateOf(sale)).toMatchObject({ needs_refund: true, due: [60] });
  });

  test("several refunds are covered as far as the notes reach, the smallest first", async () => {
    const sale = await soldOrder(shop);
    for (const amount of [30, 50]) await sale.console(amount);
    const owed = async () => {
      const rows = await company.rows(
        "SELECT owed FROM uncovered_refunds_of_invoices WHERE invoice_id = ? ORDER BY owed",
        sale.invoiceId,
      );
      return rows.map((row) => row.owed);
    };
    await noteOver(sale, 20);
    expect(await owed()).toEqual([3_000, 5_000]);
    await noteOver(sale, 15);
    expect(await owed()).toEqual([5_000]);
    await noteOver(sale, 45);
    expect(await owed()).toEqual([]);
    expect(await stateOf(sale)).toMatchObject({ review_code: null, needs_refund: false, due: [] });
  });

  test("a smaller note is not paid out, and pays no other invoice", async () => {
    const sale = await soldOrder(shop);
    await sale.console(50);
    const { id } = await noteOver(sale, 40);
    const other = await newInvoice(company, sale.customerId);
    const gone = refusal(422, "credit_exhausted", { unapplied_amount: 0 });
    expect(await payOut(company, id, { amount: 40, payout_date: today() })).toMatchObject(gone);
    expect(await applyNote(company, id, other.id, 40)).toMatchObject(gone);
    // Another note leaves 10.00 above what the gateway gave back.
    await noteOver(sale, 20);
    expect(await payOut(company, id, { amount: 10.01, payout_date: today() })).toMatchObject(
      refusal(422, "credit_exhausted", { unapplied_amount: 10 }),
    );
    must(await payOut(company, id, { amount: 4, payout_date: today() }), 201);
    must(await applyNote(company, id, other.id, 6), 200);
    expect(await stateOf(sale)).toMatchObject({ due: [] });
  });

  test("a smaller note is not sent once more", async () => {
    const before = await balancesOf(company);
    const sale = await soldOrder(shop);
    await sale.console(50);
    const note = await noteOver(sale, 40);
    expect(await stateOf(sale)).toMatchObject({
      ...{ review_code: "refunded_at_gateway", needs_refund: false, due: [] },
    });
    expect(await postRefund(company, { credit_note_id: note.id, reason: "deficiency" })).toMatchObject(
      NOTHING_LEFT,
    );
    // The rest of the sale, with a note that covers what the gateway gave back.
    await sale.refund({ reason: "sales_return" });
    expect(await sale.sent()).toBe(100);
    expect(await stateOf(sale)).toMatchObject({ needs_refund: false, review_code: null, due: [] });
    expect(await balancesOf(company)).toMatchObject({
      "Razorpay Clearing": before["Razorpay Clearing"] ?? 0,
    });
  });

  test("lines go back with what they free of an older note", async () => {
    const sale = await soldOrder(shop);
    await sale.console(10);
    await noteOver(sale, 8);
    const items = [{ item: 1, quantity: 1 }];
    await sale.refund({ reason: "sales_return", items });
    expect(await stateOf(sale)).toMatchObject({ needs_refund: false, refunded_amount: 100, due: [] });
    expect(await sale.sent()).toBe(100);
  });
});
