import { afterAll, describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { balancesOf } from "../captures/captures.ts";
import { getInvoice, rowsOf } from "../commerce.ts";
import { byAmount, getNote, newNote } from "../credit-notes/notes.ts";
import { visit } from "../invoices/page/hosted.ts";
import { newUnpaid, opened, openSeller } from "../payments/online/unpaid.ts";
import { daysAhead, newBooking, setRules } from "../school.ts";
import { openShop } from "../storefront/shop.ts";
import { dueOf, getRefund, giveBack, newRefund, paidOrder, paymentsOf, type Shop } from "./refunds.ts";

type Sale = { kind: "order" | "booking" | "invoice"; id: string; invoiceId: string };
/** A refund at the gateway's console: of which payment, and what part of the price. */
type Refund = readonly [payment: 0 | 1, part: number];
type Refunds = readonly Refund[];
type Ways = { shop: Shop; sell: () => Promise<Sale> };

const refused = { status: 409, body: { code: "has_gateway_refunds" } };
const paise = (amount: number) => Math.round(amount * 100);

async function idOf({ company }: Shop, sql: string, value: string): Promise<string> {
  const [row] = await rowsOf(company, sql, [value]);
  return String(row?.id);
}

async function ordersOfShop(): Promise<Ways> {
  const shop = await openShop();
  return {
    shop,
    sell: async () => {
      const id = String((await paidOrder(shop)).orderId);
      const invoiceId = await idOf(shop, "SELECT invoice_id AS id FROM sales_orders WHERE id = ?", id);
      return { kind: "order", id, invoiceId };
    },
  };
}

async function lessonsOfSchool(): Promise<Ways> {
  const { school, gateway: connected } = await openWithGateway();
  const shop = { company: school.company, connected };
  await setRules(shop.company, { issue_invoices: true });
  let day = 6;
  return {
    shop,
    sell: async () => {
      day += 1;
      const { id } = await newBooking(school, { booking_date: daysAhead(day), start_time: "10:00" });
      await play(shop.company, "razorpay", orderOf(await pay(school, id)), "twice");
      const invoiceId = await idOf(
        shop,
        "SELECT invoice_id AS id FROM lesson_sales WHERE booking_id = ?",
        id,
      );
      return { kind: "booking", id, invoiceId };
    },
  };
}

async function invoicesOfSeller(): Promise<Ways> {
  const seller = await openSeller();
  return {
    shop: seller,
    sell: async () => {
      const unpaid = await newUnpaid(seller);
      await play(seller.company, "razorpay", await opened(seller, unpaid), "twice");
      return { kind: "invoice", id: unpaid.invoice.id, invoiceId: unpaid.invoice.id };
    },
  };
}

// The first payment, then the second.
const both: Refunds[] = [
  [
    [0, 1],
    [1, 1],
  ],
  [
    [0, 0.6],
    [1, 0.6],
  ],
];
const more: Refunds[] = [
  [
    [0, 0.5],
    [1, 1],
  ],
  [
    [0, 1],
    [1, 0.5],
  ],
  [
    [0, 1],
    [1, 0.7],
  ],
  [
    [0, 1],
    [1, 0.5],
    [1, 0.5],
  ],
];

describe.each([
  ["an order", ordersOfShop, [...both, ...more]],
  ["a booking with an invoice", lessonsOfSchool, both],
  ["an invoice paid on its page", invoicesOfSeller, both],
] as const)(
  "%s that was paid twice, and whose payments both go back at the console",
  async (_, open, ways) => {
    const { shop, sell } = await open();
    const { company } = shop;
    afterAll(() => expectSound(company));

    async function reviewed({ kind, id }: Sale): Promise<boolean> {
      if (kind === "invoice") return false;
      const path = kind === "order" ? `/orders/:company/${id}` : `/settings/:company/bookings/${id}`;
      const { data } = must(
        await company.call<{ review_code?: string; needs_review?: boolean }>("GET", path),
        200,
      ).body;
      return kind === "order" ? data.review_code === "refunded_at_gateway" : data.needs_review === true;
    }

    /** What everybody sees of a sale, its money in the books as what it moved since `before`. */
    async function stateOf(sale: Sale, before: Record<string, number>) {
      const { invoiceId } = sale;
      const record = await getInvoice(company, invoiceId);
      const page = must(await visit(new URL(String(record.hosted_url)).pathname), 200).text;
      const balances = await balancesOf(company);
      const moved = (name: string) => paise((balances[name] ?? 0) - (before[name] ?? 0));
      const captures = await paymentsOf(company, sale.kind, sale.id);
      const due = await Promise.all(
        [sale.id, ...captures.map(({ id }) => id)].map((id) => dueOf(company, id)),
      );
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
      const payments = await paymentsOf(company, sale.kind, sale.id);
      let note = noteFirst === "before both" ? await newNote(company, sale.invoiceId) : undefined;
      for (const [place, [payment, part]] of refunds.entries()) {
        if (noteFirst === "between" && place === 1) note = await newNote(company, sale.invoiceId);
        const amount = Math.round(price * part);
        await giveBack(shop, payments[payment]?.payment ?? "", { source: "console", amount });
        await expectSound(company);
      }
      return { before, sale, price, note, payments, state: await stateOf(sale, before) };
    }

    test.each(ways.map((refunds) => ({ refunds })))(
      "owes what came back too much, as in the other order: $refunds",
      async ({ refunds }) => {
        const { before, sale, price, payments, state } = await refunded(refunds);
        const sum = refunds.reduce((total, [, part]) => total + Math.round(price * part), 0);
        const owed = Math.max(0, sum - price);
        expect(state).toEqual({
          ...{ without: owed, owed, waits: 0, due: 0, clearing: 2 * price - sum },
          ...{ isReviewed: sale.kind !== "invoice", pageIsReviewed: true },
        });
        const { invoiceId } = sale;
        const paid = await idOf(shop, "SELECT id FROM payments WHERE invoice_id = ?", invoiceId);
        for (const path of [`/invoices/:company/${invoiceId}/void`, `/payments/:company/${paid}/refund`])
          expect(await company.call("POST", path)).toMatchObject(refused);
        const listed = await company.call<{ id: string }[]>(
          "GET",
          `/ledger/:company/captures?invoice_id=${invoiceId}`,
        );
        expect(must(listed, 200).body.data.map(({ id }) => id)).toEqual(
          payments.map(({ id }) => id).reverse(),
        );
        await expectSound(company);
        await settle(await newNote(company, invoiceId), { before, sale, price, owed });
        const other = await refunded([...refunds].reverse());
        expect({ ...other.state, price: other.price }).toEqual({ ...state, price });
        await settle(await newNote(company, other.sale.invoiceId), { ...other, owed });
      },
    );

    test.each(["between", "before both"] as const)(
      "is covered by a note that was issued %s",
      async (when) => {
        const { before, sale, price, note, state } = await refunded(
          [
            [0, 1],
            [1, 1],
          ],
          when,
        );
        expect(state).toMatchObject({ without: 0, waits: 0, due: 0, clearing: 0, isReviewed: false });
        if (note === undefined) throw new Error("No note was issued");
        await settle(note, { before, sale, price, owed: price });
      },
    );

    test("owes what a part that the service sent by a note leaves", async () => {
      const { before, sale, price, payments } = await refunded([[0, 1]]);
      const { invoiceId } = sale;
      const [item] = (await getInvoice(company, invoiceId)).items;
      const note = await newNote(company, invoiceId, byAmount(item?.id, 40));
      const part = paise(note.total_amount);
      const sent = await newRefund(company, { credit_note_id: note.id, reason: "deficiency" });
      expect(sent).toMatchObject({ capture_id: payments[1]?.id, amount: part / 100 });
      await giveBack(shop, payments[1]?.payment ?? "", { source: "console" });
      const owed = price - part;
      expect(await stateOf(sale, before)).toMatchObject({ without: owed, waits: 0, due: 0, clearing: 0 });
      await expectSound(company);
      await settle(await newNote(company, invoiceId), { before, sale, price: owed, owed });
    });

    /** After a note over all that is left of a sale, no more goes back than came. */
    async function settle(
      note: { id: string },
      {
        before,
        sale,
        price,
        owed,
      }: { before: Record<string, number>; sale: Sale; price: number; owed: number },
    ) {
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
