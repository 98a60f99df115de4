import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Key, must } from "../../support/company.ts";
import { gatewayFaults, play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { visit } from "../bookings/page/visitor.ts";
import { balancesOf } from "../captures/captures.ts";
import { rowsOf } from "../commerce.ts";
import { daysAhead, newBooking, schoolCall, setRules } from "../school.ts";
import { endAtGateway, giveBack, ledgerOf, newRefund, paymentsOf, refundsOf } from "./refunds.ts";

const NOTHING = {
  status: 422,
  body: {
    ...{ code: "refund_exceeds_payment", refundable_amount: 0 },
    errors: [{ field: "refund", code: "nothing_to_refund" }],
  },
};

let opened: Awaited<ReturnType<typeof openWithGateway>>;
let day = 6;
beforeAll(async () => {
  opened = await openWithGateway();
  await setRules(opened.school.company, { refund_on_cancel: "full" });
});
afterAll(() => expectSound(opened.school.company));

const desk = () => ({ company: opened.school.company, connected: opened.gateway });
const cancel = (id: string) => schoolCall(desk().company, "POST", `/bookings/${id}/cancel`, { body: {} });
const byStaff = (id: string, body: object, key?: Key) =>
  desk().company.call("POST", `/settings/:company/bookings/${id}/cancel`, { body, ...(key ? { key } : {}) });

async function paidBooking(outcome: "paid" | "twice" = "paid") {
  day += 1;
  const booking = await newBooking(opened.school, { booking_date: daysAhead(day), start_time: "10:00" });
  await play(desk().company, "razorpay", orderOf(await pay(opened.school, booking.id)), outcome);
  return booking;
}

async function read(id: string) {
  const answer = await desk().company.call<{ payment_status: string }>(
    "GET",
    `/settings/:company/bookings/${id}`,
  );
  return must(answer, 200).body.data;
}

/** Whether the booking is refunded, once the jobs that are due have run. */
async function isRefunded(id: string) {
  const { company } = desk();
  await company.clock(60);
  await company.sweep(async () => (await read(id)).payment_status === "refunded");
}

describe("a school that gives back what a visitor cancels in time", () => {
  test.each([false, true])(
    "sends it by a job: the cancel asks no gateway (invoices: %s)",
    async (issue_invoices) => {
      const { company } = desk();
      await setRules(company, { issue_invoices });
      const { id, total_amount: price } = await paidBooking();
      const before = (await ledgerOf(desk())).length;
      expect((await cancel(id)).status).toBe(200);
      const [row] = await rowsOf(
        company,
        "SELECT source, reason, amount, sent_at FROM gateway_refunds ORDER BY id DESC LIMIT 1",
      );
      expect(row).toMatchObject({ source: "api", reason: "cancellation", amount: price * 100 });
      await isRefunded(id);
      expect(await read(id)).toMatchObject({ status: "cancelled", refunded_amount: price });
      expect((await ledgerOf(desk())).length - before).toBe(1);
      expect(await balancesOf(company)).not.toHaveProperty("Razorpay Clearing");
      expect((await cancel(id)).status).toBe(200);
      expect((await refundsOf(company)).length - before).toBe(1);
    },
  );

  test.each([false, true])(
    "sends both payments of a lesson that was paid twice (invoices: %s)",
    async (issue_invoices) => {
      const { company } = desk();
      await setRules(company, { issue_invoices });
      const { id, total_amount: price } = await paidBooking("twice");
      const [row] = await rowsOf(company, "SELECT public_token AS token FROM bookings WHERE id = ?", [id]);
      expect((await visit(`/b/${company.slug}/${row?.token}`)).text).toContain(
        `You get ₹${(2 * price).toFixed(2)} back`,
      );
      const before = (await ledgerOf(desk())).length;
      expect((await cancel(id)).status).toBe(200);
      await isRefunded(id);
      expect(await read(id)).toMatchObject({ payment_status: "refunded", refunded_amount: 2 * price });
      expect((await ledgerOf(desk())).length - before).toBe(2);
      expect(await balancesOf(company)).not.toHaveProperty("Customer Advances");
      expect(must(await company.call<object[]>("GET", "/refunds/:company/due"), 200).body.data).toEqual([]);
    },
  );

  test("two cancels at once send one", async () => {
    const { id } = await paidBooking();
    const before = (await refundsOf(desk().company)).length;
    const answers = await Promise.all([cancel(id), cancel(id), cancel(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await refundsOf(desk().company)).length - before).toBe(1);
    await isRefunded(id);
  });

  test("sends what a gateway's console left of a lesson with a receipt", async () => {
    const { company } = desk();
    await setRules(company, { issue_invoices: false });
    const { id, total_amount: price } = await paidBooking();
    const [paid] = await paymentsOf(company, "booking", id);
    await giveBack(desk(), paid?.payment ?? "", { source: "console", amount: 2_500 });
    expect((await cancel(id)).status).toBe(200);
    await isRefunded(id);
    expect(await read(id)).toMatchObject({ refunded_amount: price, needs_review: false });
    expect((await refundsOf(company)).slice(-2)).toEqual([
      "gateway succeeded 2500",
      `api succeeded ${price * 100 - 2_500}`,
    ]);
    expect(await balancesOf(company)).not.toHaveProperty("Customer Advances");
  });

  test("leaves an invoice of a filed month to staff, and the visitor can cancel all the same", async () => {
    const { company } = desk();
    await setRules(company, { issue_invoices: true });
    const { id } = await paidBooking();
    await company.database().execute("UPDATE books_settings SET gst_filed_through = '2999-12'");
    const before = (await refundsOf(company)).length;
    expect((await cancel(id)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: "cancelled", payment_status: "refund_due" });
    expect((await refundsOf(company)).length).toBe(before);
    await company.database().execute("UPDATE books_settings SET gst_filed_through = NULL");
  });
});

describe("staff who cancel", () => {
  test("say whether the money goes back, for which the key needs its scope", async () => {
    const { company } = desk();
    const [kept, sent] = [await paidBooking(), await paidBooking()];
    must(await byStaff(kept.id, {}), 200);
    expect(await read(kept.id)).toMatchObject({ payment_status: "refund_due" });
    const key = await company.key("settings:write");
    expect(await byStaff(sent.id, { refund: true }, key)).toMatchObject({
      status: 403,
      body: { required_scope: "refunds:write" },
    });
    await setRules(company, { refund_on_cancel: "off" });
    must(await byStaff(sent.id, { refund: true }), 200);
    await isRefunded(sent.id);
    const free = await newBooking(opened.school, { booking_date: daysAhead(60), start_time: "10:00" });
    expect(await byStaff(free.id, { refund: true })).toMatchObject(NOTHING);
    expect(await read(free.id)).toMatchObject({ status: "pending" });
  });

  test("keep the lesson where no gateway has money to send back, and cancel it without", async () => {
    const { company } = desk();
    const [onItsWay, sent] = [await paidBooking(), await paidBooking()];
    await gatewayFaults(company, desk().connected, { refund_pending: 1 });
    await newRefund(company, { booking_id: onItsWay.id, reason: "cancellation" });
    await gatewayFaults(company, desk().connected, {});
    await newRefund(company, { booking_id: sent.id, reason: "cancellation" });
    for (const { id } of [onItsWay, sent]) {
      const before = (await refundsOf(company)).length;
      expect(await byStaff(id, { refund: true })).toMatchObject(NOTHING);
      expect(await read(id)).toMatchObject({ status: "confirmed" });
      must(await byStaff(id, {}), 200);
      expect(await read(id)).toMatchObject({ status: "cancelled" });
      expect((await refundsOf(company)).length).toBe(before);
    }
    const [running] = await rowsOf(
      company,
      "SELECT gateway_refund_id AS id FROM gateway_refunds WHERE status = 'pending'",
    );
    await endAtGateway(desk(), String(running?.id), "succeeded");
    await isRefunded(onItsWay.id);
  });

  test("send the rest by another credit note, where a part went back by one", async () => {
    const { company } = desk();
    await setRules(company, { issue_invoices: true });
    const { id, total_amount: price } = await paidBooking();
    await newRefund(company, { booking_id: id, amount: 20, reason: "cancellation" });
    must(await byStaff(id, { refund: true }), 200);
    await isRefunded(id);
    expect(await read(id)).toMatchObject({ status: "cancelled", refunded_amount: price });
    expect((await refundsOf(company)).slice(-2)).toEqual([
      "api succeeded 2000",
      `api succeeded ${price * 100 - 2_000}`,
    ]);
    expect(await byStaff(id, { refund: true })).toMatchObject({
      ...{ status: 422, body: { code: "refund_exceeds_payment", refundable_amount: 0 } },
    });
  });

  test("of a school without the rule a cancel leaves the money due", async () => {
    const { id } = await paidBooking();
    expect((await cancel(id)).status).toBe(200);
    expect(await read(id)).toMatchObject({ payment_status: "refund_due" });
  });
});
