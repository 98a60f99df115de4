import { afterAll, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { getInvoice, rowsOf } from "../commerce.ts";
import { getNote } from "../credit-notes/notes.ts";
import { visit } from "../invoices/page/hosted.ts";
import { openSeller } from "../payments/online/unpaid.ts";
import { refusal } from "../refusal.ts";
import { setRules } from "../school.ts";
import { openShop } from "../storefront/shop.ts";
import { dueOf, getRefund, newRefund, type Shop } from "./refunds.ts";
import { openLessons, type Sale, soldInvoice, soldOrder } from "./sales.ts";

/** A refund at the gateway's console: of which payment, and what part of the price. */
type Refund = readonly [payment: 0 | 1, part: number];
type Refunds = readonly Refund[];
type Settled = { before: Record<string, number>; sale: Sale; price: number; owed: number };
type Ways = { shop: Shop; sell: () => Promise<Sale> };

const refused = refusal(409, "has_gateway_refunds");
const paise = (amount: number) => Math.round(amount * 100);

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

// The first payment, then the second.
const first = (part: number): Refund => [0, part];
const second = (part: number): Refund => [1, part];
const both: Refunds[] = [
  [first(1), second(1)],
  [first(0.6), second(0.6)],
];

describe.each([
  ["an order", ordersOfShop, both],
  ["a booking with an invoice", lessonsOfSchool, both],
  ["an invoice paid on its page", invoicesOfSeller, both],
] as const)(
  "%s that was paid twice, and whose payments both go back at the console",
  async (_, open, ways) => {
    const { shop, sell } = await open();
    const { company } = shop;
    afterAll(() => expectSound(company));

    async function reviewed({ kind, read }: Sale): Promise<boolean> {
      if (kind === "invoice") return false;
      const data = await read();
      return kind === "order" ? data.review_code === "refunded_at_gateway" : data.needs_review === true;
    }

    /** What everybody sees of a sale, its money in the books as what it moved since `before`. */
    async function stateOf(sale: Sale, before: Record<string, number>) {
      const { invoiceId } = sale;
      const record = await getInvoice(company, invoiceId);
      const page = must(await visit(new URL(String(record.hosted_url)).pathname), 200).text;
      const balances = await balancesOf(company);
      const moved = (name: string) => paise((balances[name] ?? 0) - (before[name] ?? 0));
      const due = await Promise.all([sale, ...sale.payments].map(({ id }) => dueOf(company, id)));
      return {
        without: paise(record.refunded_without_credit_note),
        ...{ owed: moved("Sundry Debtors"), waits: moved("Customer Advances") },
        clearing: moved("Razorpay Clearing"),
        due: due.flat().reduce((total, amount) => total + paise(amount), 0),
        ...{ isReviewed: await reviewed(sale), pageIsReviewed: page.includes("stamp review") },
      };
    }

    async function refunded(refunds: Refunds, noteFirst?: "before both" | "between") {
      const before = await balancesOf(company);
      const sale = await sell();
      const price = paise((await getInvoice(company, sale.invoiceId)).total_amount);
      let note = noteFirst === "before both" ? await sale.note() : undefined;
      for (const [place, [payment, part]] of refunds.entries()) {
        if (noteFirst === "between" && place === 1) note = await sale.note();
        await sale.console(Math.round(price * part) / 100, payment);
        await expectSound(company);
      }
      return { before, sale, price, note, state: await stateOf(sale, before) };
    }

    test.each(ways.map((refunds) => ({ refunds })))(
      "owes what came back too much, as in the other order: $refunds",
      async ({ refunds }) => {
        const { before, sale, price, state } = await refunded(refunds);
        const sum = refunds.reduce((total, [, part]) => total + Math.round(price * part), 0);
        const owed = Math.max(0, sum - price);
        expect(state).toEqual({
          ...{ without: owed, owed, waits: 0, due: 0, clearing: 2 * price - sum },
          ...{ isReviewed: sale.kind !== "invoice", pageIsReviewed: true },
        });
        const { invoiceId } = sale;
        const [paid] = await rowsOf(company, "SELECT id FROM payments WHERE invoice_id = ?", [invoiceId]);
        for (const path of [`/invoices/:company/${invoiceId}/void`, `/payments/:company/${paid?.id}/refund`])
          expect(await company.call("POST", path)).toMatchObject(refused);
        const listed = await company.call<{ id: string }[]>(
          "GET",
          `/ledger/:company/captures?invoice_id=${invoiceId}`,
        );
        expect(must(listed, 200).body.data.map(({ id }) => id)).toEqual(
          sale.payments.map(({ id }) => id).reverse(),
        );
        await expectSound(company);
        await settle(await sale.note(), { before, sale, price, owed });
        const other = await refunded([...refunds].reverse());
        expect({ ...other.state, price: other.price }).toEqual({ ...state, price });
        await settle(await other.sale.note(), { ...other, owed });
      },
    );

    test.each(["between", "before both"] as const)(
      "is covered by a note that was issued %s",
      async (when) => {
        const whole = [first(1), second(1)];
        const { before, sale, price, note, state } = await refunded(whole, when);
        expect(state).toMatchObject({ without: 0, waits: 0, due: 0, clearing: 0, isReviewed: false });
        if (note === undefined) throw new Error("No note was issued");
        await settle(note, { before, sale, price, owed: price });
      },
    );

    /** After a note over all that is left of a sale, no more goes back than came. */
    async function settle(note: { id: string }, { before, sale, price, owed }: Settled) {
      const rest = price - owed;
      expect(paise((await getNote(company, note.id)).unapplied_amount)).toBe(rest);
      expect(await stateOf(sale, before)).toMatchObject({ without: 0, isReviewed: false });
      if (rest > 0) {
        const sent = await newRefund(company, { credit_note_id: note.id, reason: "deficiency" });
        const all = [sent, ...(await Promise.all(sent.sibling_ids.map((id) => getRefund(company, id))))];
        expect(all.reduce((total, { amount }) => total + paise(amount), 0)).toBe(rest);
      }
      expect(await stateOf(sale, before)).toMatchObject({ owed: 0, waits: 0, due: 0, clearing: 0 });
      await expectSound(company);
    }
  },
);
