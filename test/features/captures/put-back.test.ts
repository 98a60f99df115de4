import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound, soundAtEnd } from "../../support/oracles.ts";
import { newInvoice } from "../commerce.ts";
import { byAmount, newNote } from "../credit-notes/notes.ts";
import { typesOf } from "../events/events.ts";
import { entryLines, newPayment, tally, voidInvoice } from "../money.ts";
import { openSeller } from "../payments/online/unpaid.ts";
import { newRefund, postRefund } from "../refunds/refunds.ts";
import { allDue, openLessons, type Sale, soldInvoice, soldOrder } from "../refunds/sales.ts";
import { refusal } from "../refusal.ts";
import { setRules } from "../school.ts";
import { openShop } from "../storefront/shop.ts";
import { balancesOf } from "./captures.ts";
import { dueOfInvoice, paymentsOn, putBack, settle, takeBack } from "./put-back.ts";

type Order = { needs_refund: boolean; updated_at: string };

const readOrder = async (sale: Sale) => (await sale.read()) as unknown as Order;

const shop = soundAtEnd(await openShop());

describe("a payment that was taken back by mistake is put back on its invoice", () => {
  const KINDS: [string, () => Promise<Sale>][] = [
    ["an order", async () => soldOrder(await openShop())],
    ["an invoice", async () => soldInvoice(await openSeller())],
    [
      "a lesson",
      async () => {
        const lessons = await openLessons();
        await setRules(lessons.company, { issue_invoices: true });
        return lessons.sold();
      },
    ],
  ];
  test.each(KINDS)(
    "of %s: with the next number, out of Customer Advances, and nothing is due back",
    async (_of, sell) => {
      const sale = await sell();
      const { company } = sale;
      const [books, [first]] = [await balancesOf(company), await paymentsOn(sale)];
      await takeBack(sale);
      expect(await balancesOf(company)).toHaveProperty("Customer Advances", -Number(first?.amount));
      const seen = (await typesOf(company)).length;
      expect(must(await putBack(sale), 200).body.data).toMatchObject({
        ...{ state: "invoiced", invoiced_amount: first?.amount, advance_amount: 0 },
      });
      expect((await typesOf(company)).slice(seen)).toEqual(["invoice.paid", "payment.recorded"]);
      const [audit] = await company.rows("SELECT action FROM audit_log ORDER BY id DESC LIMIT 1");
      expect(audit).toEqual({ action: "settleCapture" });
      expect(await balancesOf(company)).toEqual(books);
      const again = await paymentsOn(sale);
      const next = String(first?.payment_number).replace(/00001$/, "00002");
      expect(again).toMatchObject([{ amount: first?.amount, payment_number: next }]);
      const [debit] = await entryLines(company, String(again[0]?.journal_entry_id));
      expect(debit).toBe(`Customer Advances Dr ${first?.amount} Cr 0`);
      expect(await dueOfInvoice(sale)).toBe(0);
      expect(await allDue(company)).toEqual([]);
      await expectSound(company);
    },
  );

  test("an order is owed nothing then, and can be taken back and refunded as before", async () => {
    const sale = await soldOrder(shop);
    await takeBack(sale);
    const { needs_refund, updated_at: owedAt } = await readOrder(sale);
    expect(needs_refund).toBe(true);
    must(await putBack(sale), 200);
    const { updated_at: paidAt, ...order } = await readOrder(sale);
    expect(order).toMatchObject({ needs_refund: false, payment_status: "paid", refund_status: "none" });
    expect(paidAt > owedAt).toBe(true);
    await takeBack(sale);
    expect(await sale.due()).toEqual([100]);
    must(await putBack(sale), 200);
    expect(await sale.refund({ reason: "cancellation" })).toMatchObject({ status: "succeeded", amount: 100 });
    expect(await sale.read()).toMatchObject({ needs_refund: false, refund_status: "refunded" });
  });

  test("what is still there pays: a part went back through the gateway, and the rest of the invoice stays due", async () => {
    const sale = await soldOrder(shop);
    await takeBack(sale);
    await newRefund(shop.company, { capture_id: sale.captureId, amount: 40 });
    expect(must(await putBack(sale), 200).body.data).toMatchObject({
      invoiced_amount: 60,
      refunded_amount: 40,
    });
    expect(await dueOfInvoice(sale)).toBe(40);
    expect(await sale.read()).toMatchObject({ needs_refund: false, refund_status: "partial" });
    expect(await sale.due()).toEqual([]);
  });

  test("of two payments of an order either pays, and the other stays due back", async () => {
    for (const place of [0, 1]) {
      const sale = await soldOrder(shop, "twice");
      await takeBack(sale);
      expect(await sale.due()).toEqual([200]);
      must(await putBack(sale, place), 200);
      expect(await readOrder(sale)).toMatchObject({ needs_refund: true });
      expect(await sale.due()).toEqual([100]);
      expect(await putBack(sale, 1 - place)).toMatchObject({ status: 409, body: { code: "already_paid" } });
      await sale.refund({ reason: "duplicate_payment" });
      expect(await readOrder(sale)).toMatchObject({ needs_refund: false });
    }
  });

  test("what a credit note took off the invoice goes on being due back", async () => {
    const sale = await soldOrder(shop);
    await takeBack(sale);
    await newNote(shop.company, sale.invoiceId, byAmount(sale.itemId, 30));
    expect(must(await putBack(sale), 200).body.data).toMatchObject({
      invoiced_amount: 70,
      advance_amount: 30,
    });
    expect(await readOrder(sale)).toMatchObject({ needs_refund: true });
    expect(await sale.due()).toEqual([30]);
  });
});

describe("what cannot be put back is refused, and nothing is written", () => {
  test("on another invoice, or given back by hand: the order is owed the money", async () => {
    const sale = await soldOrder(shop);
    await takeBack(sale);
    const other = await newInvoice(shop.company, sale.customerId);
    for (const body of [{ invoice_id: other.id }, { outside_reference: "UTR 1" }])
      expect(await settle(shop.company, sale.captureId, body)).toMatchObject(
        refusal(409, "invalid_status", { message: expect.stringContaining("is owed it") }),
      );
    expect(await sale.due()).toEqual([100]);
  });

  test("on an invoice that was voided: there is nothing to pay", async () => {
    const sale = await soldOrder(shop);
    must(await voidInvoice(shop.company, sale.invoiceId), 200);
    expect(await putBack(sale)).toMatchObject({ status: 409, body: { code: "invoice_voided" } });
    expect(await sale.due()).toEqual([100]);
  });

  test("on an invoice that was paid by hand meanwhile", async () => {
    const sale = await soldOrder(shop);
    await takeBack(sale);
    await newPayment(shop.company, { invoice_id: sale.invoiceId, amount: 100 });
    expect(await putBack(sale)).toMatchObject({ status: 409, body: { code: "already_paid" } });
    expect(await sale.due()).toEqual([100]);
  });

  test.each(["paid", "twice"] as const)(
    "twice: of 20 calls at once one puts an order that was %s back",
    async (outcome) => {
      const sale = await soldOrder(shop, outcome);
      await takeBack(sale);
      const calls = Array.from({ length: 20 }, (_, call) => putBack(sale, call % sale.payments.length));
      expect(tally(await Promise.all(calls))).toEqual({ 200: 1, 409: 19 });
      expect(await paymentsOn(sale)).toHaveLength(1);
      expect(await dueOfInvoice(sale)).toBe(0);
      expect(await sale.due()).toEqual(outcome === "twice" ? [100] : []);
    },
  );

  test("beside a refund of the same money: one of the two has it", async () => {
    for (let round = 0; round < 6; round += 1) {
      const sale = await soldOrder(shop);
      await takeBack(sale);
      const refunding = () => postRefund(shop.company, { order_id: String(sale.orderId) });
      const [put, sent] = await Promise.all(
        round % 2 === 0 ? [putBack(sale), refunding()] : [refunding(), putBack(sale)].toReversed(),
      );
      expect([put?.status, sent?.status]).toEqual(put?.status === 200 ? [200, 422] : [409, 201]);
      expect(await sale.sent()).toBe(put?.status === 200 ? 0 : 100);
      expect(await dueOfInvoice(sale)).toBe(put?.status === 200 ? 0 : 100);
      expect(await readOrder(sale)).toMatchObject({ needs_refund: false });
    }
  });
});
