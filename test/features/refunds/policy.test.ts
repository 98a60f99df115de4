import { describe, expect, test } from "vitest";
import { type Key, must } from "../../support/company.ts";
import { soundAtEnd } from "../../support/oracles.ts";
import { visit } from "../bookings/page/visitor.ts";
import { balancesOf } from "../captures/captures.ts";
import { refusal } from "../refusal.ts";
import { readBooking, schoolCall, setRules } from "../school.ts";
import { endAtGateway, ledgerOf, refundsOf } from "./refunds.ts";
import { allDue, NOTHING_LEFT, openLessons, type Sale, withFaults } from "./sales.ts";

const NOTHING = refusal(422, "refund_exceeds_payment", {
  refundable_amount: 0,
  errors: [{ field: "refund", code: "nothing_to_refund" }],
});

const lessons = soundAtEnd(await openLessons());
const { company, shop } = lessons;
await setRules(company, { refund_on_cancel: "full" });

const cancel = ({ id }: { id: string }) =>
  schoolCall(company, "POST", `/bookings/${id}/cancel`, { body: {} });
const byStaff = ({ id }: { id: string }, body: object, key?: Key) =>
  company.call("POST", `/settings/:company/bookings/${id}/cancel`, { body, ...(key ? { key } : {}) });

/** Whether the booking is refunded, once the jobs that are due have run. */
async function isRefunded({ read }: Sale) {
  await company.clock(60);
  await company.sweep(async () => (await read()).payment_status === "refunded");
}

describe("a school that gives back what a visitor cancels in time", () => {
  test.each([false, true])(
    "sends it by a job: the cancel asks no gateway (invoices: %s)",
    async (issue_invoices) => {
      await setRules(company, { issue_invoices });
      const sale = await lessons.sold();
      const { price } = sale;
      const before = (await ledgerOf(shop)).length;
      expect((await cancel(sale)).status).toBe(200);
      const [row] = await company.rows(
        "SELECT source, reason, amount, sent_at FROM gateway_refunds ORDER BY id DESC LIMIT 1",
      );
      expect(row).toMatchObject({ source: "api", reason: "cancellation", amount: price * 100 });
      await isRefunded(sale);
      expect(await sale.read()).toMatchObject({ status: "cancelled", refunded_amount: price });
      expect((await ledgerOf(shop)).length - before).toBe(1);
      expect(await balancesOf(company)).not.toHaveProperty("Razorpay Clearing");
      expect((await cancel(sale)).status).toBe(200);
      expect((await refundsOf(company)).length - before).toBe(1);
    },
  );

  test("sends both payments of a lesson that was paid twice", async () => {
    const sale = await lessons.sold("twice");
    const { id, price } = sale;
    const [row] = await company.rows("SELECT public_token AS token FROM bookings WHERE id = ?", id);
    expect((await visit(`/b/${company.slug}/${row?.token}`)).text).toContain(
      `You get ₹${(2 * price).toFixed(2)} back`,
    );
    const before = (await ledgerOf(shop)).length;
    expect((await cancel(sale)).status).toBe(200);
    await isRefunded(sale);
    expect(await sale.read()).toMatchObject({ payment_status: "refunded", refunded_amount: 2 * price });
    expect((await ledgerOf(shop)).length - before).toBe(2);
    expect(await balancesOf(company)).not.toHaveProperty("Customer Advances");
    expect(await allDue(company)).toEqual([]);
  });

  test("sends what a gateway's console left of a lesson with a receipt", async () => {
    await setRules(company, { issue_invoices: false });
    const sale = await lessons.sold();
    const { price } = sale;
    await sale.console(25);
    expect((await cancel(sale)).status).toBe(200);
    await isRefunded(sale);
    expect(await sale.read()).toMatchObject({ refunded_amount: price, needs_review: false });
    expect((await refundsOf(company)).slice(-2)).toEqual([
      "gateway succeeded 2500",
      `api succeeded ${price * 100 - 2_500}`,
    ]);
    expect(await balancesOf(company)).not.toHaveProperty("Customer Advances");
  });

  test("leaves to staff what it is refused to send, and the visitor can cancel all the same", async () => {
    await setRules(company, { issue_invoices: true });
    const sale = await lessons.sold();
    await company.rows("UPDATE books_settings SET gst_filed_through = '2999-12'");
    const before = (await refundsOf(company)).length;
    expect((await cancel(sale)).status).toBe(200);
    expect(await sale.read()).toMatchObject({ status: "cancelled", payment_status: "refund_due" });
    expect((await refundsOf(company)).length).toBe(before);
    await company.rows("UPDATE books_settings SET gst_filed_through = NULL");
  });
});

describe("staff who cancel", () => {
  test("say whether the money goes back, for which the key needs its scope", async () => {
    const [kept, sent] = [await lessons.sold(), await lessons.sold()];
    must(await byStaff(kept, {}), 200);
    expect(await kept.read()).toMatchObject({ payment_status: "refund_due" });
    const key = await company.key("settings:write");
    expect(await byStaff(sent, { refund: true }, key)).toMatchObject({
      status: 403,
      body: { required_scope: "refunds:write" },
    });
    await setRules(company, { refund_on_cancel: "off" });
    must(await byStaff(sent, { refund: true }), 200);
    await isRefunded(sent);
    const free = await lessons.unpaid();
    expect(await byStaff(free, { refund: true })).toMatchObject(NOTHING);
    expect((await readBooking(company, free.id)).status).toBe("pending");
  });

  test("keep the lesson where no gateway has money to send back, and cancel it without", async () => {
    const [onItsWay, sent] = [await lessons.sold(), await lessons.sold()];
    const reason = { reason: "cancellation" };
    const running = await withFaults(shop, { refund_pending: 1 }, () => onItsWay.refund(reason));
    await sent.refund(reason);
    for (const sale of [onItsWay, sent]) {
      const before = (await refundsOf(company)).length;
      expect(await byStaff(sale, { refund: true })).toMatchObject(NOTHING);
      expect(await sale.read()).toMatchObject({ status: "confirmed" });
      must(await byStaff(sale, {}), 200);
      expect(await sale.read()).toMatchObject({ status: "cancelled" });
      expect((await refundsOf(company)).length).toBe(before);
    }
    await endAtGateway(shop, running.gateway_refund_id, "succeeded");
    await isRefunded(onItsWay);
  });

  test("send the rest by another credit note, where a part went back by one", async () => {
    await setRules(company, { issue_invoices: true });
    const sale = await lessons.sold();
    const { price } = sale;
    await sale.refund({ amount: 20, reason: "cancellation" });
    must(await byStaff(sale, { refund: true }), 200);
    await isRefunded(sale);
    expect(await sale.read()).toMatchObject({ status: "cancelled", refunded_amount: price });
    expect((await refundsOf(company)).slice(-2)).toEqual([
      "api succeeded 2000",
      `api succeeded ${price * 100 - 2_000}`,
    ]);
    expect(await byStaff(sale, { refund: true })).toMatchObject(NOTHING_LEFT);
  });
});
