import { expect } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { balancesOf } from "../captures/captures.ts";
import { rowsOf } from "../commerce.ts";
import { daysAhead, newBooking, setRules } from "../school.ts";
import { newRefund, paymentsOf, postRefund, type Shop, sentBackOf } from "./refunds.ts";

export const PRICE = 75;
export const CANCELLATION = { reason: "cancellation" };

/** A lesson of 75.00 that was paid through the gateway, and has an invoice, at a school of its own. */
export async function soldLesson(outcome: "paid" | "twice" = "paid") {
  const { school, gateway: connected } = await openWithGateway();
  const { company } = school;
  const shop: Shop = { company, connected };
  await setRules(company, { issue_invoices: true });
  const { id } = await newBooking(school, { booking_date: daysAhead(7), start_time: "10:00" });
  await play(company, "razorpay", orderOf(await pay(school, id)), outcome);
  const payments = (await paymentsOf(company, "booking", id)).map(({ payment }) => payment);
  const [row] = await rowsOf(
    company,
    `SELECT invoice_id, customer_id, (SELECT id FROM invoice_items WHERE invoice_id = sale.invoice_id) AS item
      FROM lesson_sales AS sale JOIN invoices ON invoices.id = invoice_id WHERE booking_id = ?`,
    [id],
  );
  const due = async () =>
    must(await company.call<{ ref_id: string; amount: number }[]>("GET", "/refunds/:company/due"), 200).body
      .data;
  return {
    ...{ company, shop, id, due, payment: payments[0] ?? "" },
    ...{
      invoiceId: String(row?.invoice_id),
      itemId: String(row?.item),
      customerId: String(row?.customer_id),
    },
    read: async () =>
      must(await company.call<{ payment_status: string }>("GET", `/settings/:company/bookings/${id}`), 200)
        .body.data,
    cancel: async (body: object = {}) =>
      must(await company.call("POST", `/settings/:company/bookings/${id}/cancel`, { body }), 200),
    refund: (fields: object = {}) => newRefund(company, { booking_id: id, ...CANCELLATION, ...fields }),
    sent: async () =>
      (await sentBackOf(shop, ...payments)).reduce(
        (sum, { amount, state }) => sum + (state === "failed" ? 0 : amount),
        0,
      ) / 100,
  };
}
type Lesson = Awaited<ReturnType<typeof soldLesson>>;

/** The lesson's money is back, but for what was given by hand, and nothing is due. */
export async function expectSettled({ company, id, due, sent, read }: Lesson, byHand = 0) {
  expect(await sent()).toBe(PRICE - byHand);
  expect(await due()).toEqual([]);
  expect(await read()).toMatchObject({ payment_status: "refunded", refunded_amount: PRICE - byHand });
  expect(await postRefund(company, { booking_id: id, ...CANCELLATION })).toMatchObject({
    ...{ status: 422, body: { code: "refund_exceeds_payment", refundable_amount: 0 } },
  });
  // The gateway has what the school gave by hand.
  const { "Razorpay Clearing": clearing = 0, ...rest } = await balancesOf(company);
  expect(clearing).toBe(byHand);
  for (const account of ["Customer Advances", "Unearned Lesson Income"])
    expect(rest).not.toHaveProperty(account);
  await expectSound(company);
}

export async function expectDue({ due, id }: Lesson, amount: number) {
  expect(await due()).toMatchObject(amount === 0 ? [] : [{ kind: "booking", ref_id: id, amount }]);
}
