import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { getInvoice } from "../commerce.ts";
import { getNote } from "../credit-notes/notes.ts";
import { visit } from "../invoices/page/hosted.ts";
import { openSeller } from "../payments/online/unpaid.ts";
import { refusal } from "../refusal.ts";
import { setRules } from "../school.ts";
import { openShop } from "../storefront/shop.ts";
import { newRefund, type Shop } from "./refunds.ts";
import { allDue, openLessons, type Sale, soldInvoice, soldOrder } from "./sales.ts";

type Ways = { shop: Shop; sell: () => Promise<Sale> };

const refused = refusal(409, "has_gateway_refunds");
const paise = (amount = 0) => Math.round(amount * 100);

async function ordersOfShop(): Promise<Ways> {
  const shop = await openShop();
  return { shop, sell: () => soldOrder(shop, "twice") };
}

async function lessonsOfSchool(): Promise<Ways> {
  const lessons = await openLessons();
  await setRules(lessons.company, { issue_invoices: true });
  return { shop: lessons.shop, sell: () => lessons.sold("twice") };
}

async function invoicesOfSeller(): Promise<Ways> {
  const seller = await openSeller();
  return { shop: seller, sell: () => soldInvoice(seller, "twice") };
}

describe.each([
  ["an order", ordersOfShop],
  ["a booking with an invoice", lessonsOfSchool],
  ["an invoice paid on its page", invoicesOfSeller],
] as const)("%s that was paid twice, and whose payments both go back at the console", async (_, open) => {
  const { shop, sell } = await open();
  const { company } = shop;

  /** What the books have moved since `before`, in minor units. */
  async function moved(before: Record<string, number>) {
    const now = await balancesOf(company);
    const by = (name: string) => paise(now[name]) - paise(before[name]);
    const [owed, waits] = [by("Sundry Debtors"), by("Customer Advances")];
    return { owed, waits, clearing: by("Razorpay Clearing") };
  }
  const withoutNote = async ({ invoiceId }: Sale) =>
    paise((await getInvoice(company, invoiceId)).refunded_without_credit_note);

  test.each([
    { part: 1, order: [0, 1] },
    { part: 1, order: [1, 0] },
    { part: 0.6, order: [0, 1] },
    { part: 0.6, order: [1, 0] },
  ])("owes what came back too much, in either order: $part of each, $order", async ({ part, order }) => {
    const before = await balancesOf(company);
    const sale = await sell();
    const { invoiceId } = sale;
    const record = await getInvoice(company, invoiceId);
    const price = paise(record.total_amount);
    const back = Math.round(price * part);
    for (const place of order) {
      await sale.console(back / 100, place);
      await expectSound(company);
    }
    const owed = 2 * back - price;
    expect(await withoutNote(sale)).toBe(owed);
    expect(await moved(before)).toEqual({ owed, waits: 0, clearing: 2 * (price - back) });
    expect(await allDue(company)).toEqual([]);
    if (sale.kind !== "invoice") expect((await sale.read()).needs_review).toBe(true);
    const page = await visit(new URL(String(record.hosted_url)).pathname);
    expect(must(page, 200).text).toContain("stamp review");
    const [paid] = await company.rows("SELECT id FROM payments WHERE invoice_id = ?", invoiceId);
    for (const path of [`/invoices/:company/${invoiceId}/void`, `/payments/:company/${paid?.id}/refund`])
      expect(await company.call("POST", path)).toMatchObject(refused);
    // After a note over all that is left of a sale, no more goes back than came.
    const note = await sale.note();
    expect(await withoutNote(sale)).toBe(0);
    const rest = price - owed;
    expect(paise((await getNote(company, note.id)).unapplied_amount)).toBe(rest);
    if (rest > 0) await newRefund(company, { credit_note_id: note.id, reason: "deficiency" });
    expect(await moved(before)).toEqual({ owed: 0, waits: 0, clearing: 0 });
    expect(paise(await sale.sent())).toBe(2 * price);
    await expectSound(company);
  });

  test("is covered by a note that was issued before", async () => {
    const before = await balancesOf(company);
    const sale = await sell();
    await sale.note();
    for (const place of [0, 1]) await sale.console(undefined, place);
    expect(await withoutNote(sale)).toBe(0);
    expect(await moved(before)).toEqual({ owed: 0, waits: 0, clearing: 0 });
    expect(await allDue(company)).toEqual([]);
    await expectSound(company);
  });
});
