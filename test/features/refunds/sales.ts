import { must, type TestCompany } from "../../support/company.ts";
import { gatewayFaults, play } from "../../support/gateways.ts";
import { openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { byAmount, newNote } from "../credit-notes/notes.ts";
import { newUnpaid, opened, type Seller } from "../payments/online/unpaid.ts";
import { refusal } from "../refusal.ts";
import { daysAhead, newBooking } from "../school.ts";
import {
  dueOf,
  giveBack,
  newRefund,
  type Paid,
  paidOrder,
  paymentsOf,
  postRefund,
  type RefundRecord,
  type Shop,
  sentBackOf,
} from "./refunds.ts";

type Fields = Record<string, unknown>;
type Outcome = Parameters<typeof paidOrder>[1];
type Due = { kind: string; ref_id: string; amount: number };

/** The answer to a refund of money that is all back, or on its way. */
export const NOTHING_LEFT = refusal(422, "refund_exceeds_payment", { refundable_amount: 0 });

// Where the invoice of each kind of sale is named.
const INVOICE_OF = {
  order: "SELECT invoice_id FROM sales_orders WHERE id = ?",
  booking: "SELECT invoice_id FROM lesson_sales WHERE booking_id = ?",
  invoice: "SELECT ?",
};
export type Kind = keyof typeof INVOICE_OF;

/** A sale that a gateway's payments paid, and what a test does with it; amounts are in units, not minor ones. */
export async function saleOf(shop: Shop, kind: Kind, id: string) {
  const { company } = shop;
  const payments = await paymentsOf(company, kind, id);
  const [row] = await company.rows(
    `SELECT invoice.id, customer_id, item.id AS item FROM invoices AS invoice
      JOIN invoice_items AS item ON item.invoice_id = invoice.id WHERE invoice.id = (${INVOICE_OF[kind]})`,
    id,
  );
  const path = kind === "order" ? `/orders/:company/${id}` : `/settings/:company/bookings/${id}`;
  const asked = (fields: Fields) => ({ [`${kind}_id`]: id, ...fields });
  const [invoiceId, customerId, itemId] = [row?.id, row?.customer_id, row?.item].map(String) as Three;
  return {
    ...{ shop, company, kind, id, payments, invoiceId, customerId, itemId },
    read: async () => must(await company.call("GET", path), 200).body.data,
    due: () => dueOf(company, kind, id),
    post: (fields: Fields = {}) => postRefund(company, asked(fields)),
    refund: (fields: Fields = {}) => newRefund(company, asked(fields)),
    /** A credit note over all that is left, or over an amount. */
    note: (amount?: number) =>
      newNote(company, invoiceId, amount === undefined ? undefined : byAmount(itemId, amount)),
    /** A person at the gateway gives a payment back, or a part of it. */
    console: (amount?: number, place = 0) =>
      giveBack(shop, payments[place]?.payment ?? "", {
        ...{ source: "console", ...(amount !== undefined && { amount: Math.round(amount * 100) }) },
      }),
    cancel: async (body: object = {}) => must(await company.call("POST", `${path}/cancel`, { body }), 200),
    patch: (body: object) => company.call("PATCH", path, { body }),
    /** What went back at the gateway, or is on its way. */
    sent: async () =>
      (await sentBackOf(shop, ...payments.map(({ payment }) => payment)))
        .filter(({ state }) => state !== "failed")
        .reduce((sum, { amount }) => sum + amount, 0) / 100,
  };
}
type Three = [string, string, string];
export type Sale = Awaited<ReturnType<typeof saleOf>>;

/** An order of 100.00 that was paid so often, and its newest capture. */
export async function soldOrder(shop: Shop, outcome: Outcome = "paid"): Promise<Sale & Paid> {
  const paid = await paidOrder(shop, outcome);
  return { ...(await saleOf(shop, "order", String(paid.orderId))), ...paid };
}

/** A school whose lessons of 75.00 are paid through a gateway, each on a day of its own. */
export async function openLessons() {
  const { school, gateway: connected } = await openWithGateway();
  const shop: Shop = { company: school.company, connected };
  let day = 6;
  return {
    ...{ school, shop, company: school.company, connected },
    unpaid: () => {
      day += 1;
      return newBooking(school, { booking_date: daysAhead(day), start_time: "10:00" });
    },
    async sold(outcome: Outcome = "paid") {
      const { id, total_amount: price } = await this.unpaid();
      await play(shop.company, "razorpay", orderOf(await pay(school, id)), outcome);
      return { ...(await saleOf(shop, "booking", id)), price };
    },
  };
}

/** An invoice of 354.00 that was paid so often on its page. */
export async function soldInvoice(seller: Seller, outcome: Outcome = "paid"): Promise<Sale> {
  const unpaid = await newUnpaid(seller);
  await play(seller.company, "razorpay", await opened(seller, unpaid), outcome);
  return saleOf(seller, "invoice", unpaid.invoice.id);
}

/** Makes a call while the gateway has these faults. */
export async function withFaults<Answer>(
  { company, connected }: Shop,
  faults: Record<string, number>,
  call: () => Promise<Answer>,
): Promise<Answer> {
  await gatewayFaults(company, connected, faults);
  const answer = await call();
  await gatewayFaults(company, connected, {});
  return answer;
}

/** All that is due back, as its kind, id and amount. */
export async function allDue(company: TestCompany): Promise<string[]> {
  const { data } = must(await company.call<Due[]>("GET", "/refunds/:company/due"), 200).body;
  return data.map(({ kind, ref_id: id, amount }) => `${kind} ${id} ${amount}`);
}

export const UNKNOWN =
  "every refund that a gateway reports is of a payment that is known, in its currency and amount";

/** What the company's self-check leaves open. */
export async function openOf(company: TestCompany): Promise<string[]> {
  type Check = { open: { invariant: string }[] };
  const { data } = must(await company.call<Check>("GET", "/ledger/:company/self-check"), 200).body;
  return data.open.map(({ invariant }) => invariant);
}

/** The refund that was recorded last. */
export async function newestRefund(company: TestCompany): Promise<RefundRecord> {
  const { data } = must(await company.call<RefundRecord[]>("GET", "/refunds/:company?limit=1"), 200).body;
  if (data[0] === undefined) throw new Error("There is no refund");
  return data[0];
}
