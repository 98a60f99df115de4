import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { soundAtEnd } from "../../support/oracles.ts";
import { balancesOf } from "../captures/captures.ts";
import { typesOf } from "../events/events.ts";
import { refusal, wrongField } from "../refusal.ts";
import { STAFF_BOOKINGS, setRules, staffPatch } from "../school.ts";
import { endAtGateway, retry } from "./refunds.ts";
import { allDue, openLessons, withFaults } from "./sales.ts";

const lessons = soundAtEnd(await openLessons());
const { company, shop } = lessons;

const reason = { reason: "cancellation" };

/** A booking that was paid through the gateway. */
async function paidBooking() {
  const sale = await lessons.sold();
  expect(await sale.read()).toMatchObject({ payment_status: "paid" });
  return sale;
}

test("money that is on its way is not marked as paid back elsewhere, and is due again if it fails", async () => {
  const sale = await paidBooking();
  const { price } = sale;
  await sale.cancel();
  const sent = await withFaults(shop, { refund_pending: 1 }, () => sale.refund(reason));
  expect(await sale.patch({ payment_status: "refunded" })).toMatchObject(refusal(409, "refund_in_progress"));
  expect(await sale.post(reason)).toMatchObject({
    ...{ status: 422, body: { refundable_amount: 0, pending_amount: price } },
  });
  await endAtGateway(shop, sent.gateway_refund_id, "succeeded");
  expect(await sale.read()).toMatchObject({ payment_status: "refunded" });
  await endAtGateway(shop, sent.gateway_refund_id, "failed");
  expect(await sale.read()).toMatchObject({ payment_status: "refund_due", refunded_amount: 0 });
  expect((await balancesOf(company))["Customer Advances"]).toBe(-price);
  must(await retry(company, sent.id), 200);
  expect(await sale.read()).toMatchObject({ payment_status: "refunded", refunded_amount: price });
});

test("what a gateway took and staff gave back by a payment mode leaves that mode's account", async () => {
  const before = await balancesOf(company);
  const sale = await paidBooking();
  await sale.cancel();
  expect((await withFaults(shop, { refund_refused: 1 }, () => sale.refund(reason))).status).toBe("failed");
  const refused = (words: string) => ({ status: 422, text: expect.stringContaining(words) });
  const by = (mode: number, body: object) => sale.patch({ ...body, payment_mode_id: mode });
  expect(await by(1, { needs_review: false })).toMatchObject(refused("goes with a payment_status"));
  expect(await by(999, { payment_status: "refunded" })).toMatchObject(refused("names no payment mode"));
  expect(await sale.read()).toMatchObject({ payment_status: "refund_due" });
  must(await by(1, { payment_status: "refunded" }), 200);
  const { Cash: cash = 0, "Razorpay Clearing": clearing = 0, ...rest } = await balancesOf(company);
  const { Cash: cashBefore = 0, "Razorpay Clearing": clearingBefore = 0, ...restBefore } = before;
  expect([cash - cashBefore, clearing - clearingBefore]).toEqual([-sale.price, sale.price]);
  expect(rest).toEqual(restBefore);
});

test("a payment mode is refused for money that no gateway has", async () => {
  const { id } = await lessons.unpaid();
  const patch = (body: object) => staffPatch(company, id, body);
  must(await patch({ status: "confirmed", payment_status: "paid", payment_mode_id: 2 }), 200);
  must(await company.call("POST", `${STAFF_BOOKINGS}/${id}/cancel`, { body: {} }), 200);
  expect(await patch({ payment_status: "refunded", payment_mode_id: 1 })).toMatchObject(
    wrongField("payment_mode_id", "not_accepted"),
  );
  must(await patch({ payment_status: "refunded" }), 200);
});

test("staff find bookings by what went back of their money; of which a part leaves a booking paid", async () => {
  type Listed = { id: string; refund_status: string }[];
  const list = async (status: string) =>
    (await company.read<Listed>(`${STAFF_BOOKINGS}?refund_status=${status}&order=start`)).map(({ id }) => id);
  const sale = await paidBooking();
  const told = async () => (await typesOf(company, "type=booking.partly_refunded")).length;
  const before = await told();
  expect(await list("none")).toContain(sale.id);
  expect(await sale.read()).toMatchObject({ refund_status: "none" });
  must(await company.call("POST", `/settings/:company/bookings/${sale.id}/invoice`, { body: {} }), 200);
  const part = { reason: "deficiency", amount: 10 };
  const sent = await withFaults(shop, { refund_pending: 1 }, () => sale.refund(part));
  expect(await list("pending")).toEqual([sale.id]);
  await endAtGateway(shop, sent.gateway_refund_id, "succeeded");
  const paid = { payment_status: "paid", refund_status: "partial", refunded_amount: 10 };
  expect(await sale.read()).toMatchObject(paid);
  expect(await told()).toBe(before + 1);
  expect(await list("partial")).toContain(sale.id);
  expect(await sale.refund(reason)).toMatchObject({ amount: sale.price - 10 });
  expect(await sale.read()).toMatchObject({ payment_status: "refunded", refunded_amount: sale.price });
  expect(await list("refunded")).toContain(sale.id);
  expect(await list("none")).not.toContain(sale.id);
});

test("a part of one that has a receipt needs its invoice first", async () => {
  await setRules(company, { issue_invoices: false });
  const sale = await paidBooking();
  expect(await sale.post({ ...reason, amount: 10 })).toMatchObject(refusal(422, "credit_note_required"));
  must(await company.call("POST", `/settings/:company/bookings/${sale.id}/invoice`, { body: {} }), 200);
  expect((await sale.refund({ ...reason, amount: 10 })).status).toBe("succeeded");
});

test("a booking whose gateway gave all back by itself is marked as refunded once its invoice is wholly credited", async () => {
  await setRules(company, { issue_invoices: true });
  const [cancelled, standing] = [await paidBooking(), await paidBooking()];
  for (const sale of [cancelled, standing]) await sale.console();
  await cancelled.cancel();
  expect(await allDue(company)).toEqual([]);
  expect(await cancelled.patch({ payment_status: "refunded" })).toMatchObject(
    refusal(409, "has_gateway_refunds"),
  );
  await cancelled.note();
  expect(await standing.read()).toMatchObject({ payment_status: "paid", needs_review: true });
  await standing.note();
  expect(await standing.read()).toMatchObject({
    ...{ payment_status: "refunded", refunded_amount: standing.price, needs_review: false },
  });
});
