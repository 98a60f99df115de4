import { afterAll, beforeAll, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { gatewayFaults, play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { balancesOf } from "../captures/captures.ts";
import { rowsOf } from "../commerce.ts";
import { newNote } from "../credit-notes/notes.ts";
import { typesOf } from "../events/events.ts";
import { daysAhead, newBooking, setRules } from "../school.ts";
import {
  endAtGateway,
  giveBack,
  ledgerOf,
  newRefund,
  paymentsOf,
  postRefund,
  retry,
  type Shop,
} from "./refunds.ts";

let opened: Awaited<ReturnType<typeof openWithGateway>>;
let desk: Shop;
let day = 6;
beforeAll(async () => {
  opened = await openWithGateway();
  desk = { company: opened.school.company, connected: opened.gateway };
});
afterAll(async () => {
  await expectSound(desk.company);
});

const reason = { reason: "cancellation" };
const patch = (id: string, body: object) =>
  desk.company.call("PATCH", `/settings/:company/bookings/${id}`, { body });
const cancel = (id: string) =>
  desk.company.call("POST", `/settings/:company/bookings/${id}/cancel`, { body: {} });

async function readByStaff(id: string) {
  return must(await desk.company.call<object>("GET", `/settings/:company/bookings/${id}`), 200).body.data;
}

/** A booking that was paid through the gateway. */
async function paidBooking(outcome: "paid" | "twice" = "paid") {
  const { school } = opened;
  day += 1;
  const at = { booking_date: daysAhead(day), start_time: "10:00" };
  const booking = await newBooking(school, at);
  await play(desk.company, "razorpay", orderOf(await pay(school, booking.id)), outcome);
  expect(await readByStaff(booking.id)).toMatchObject({ payment_status: "paid" });
  return booking;
}

test("a cancelled booking's money goes back, and the booking is refunded", async () => {
  const { id, total_amount: price } = await paidBooking();
  must(await cancel(id), 200);
  const sent = await newRefund(desk.company, { ...reason, booking_id: id });
  expect(sent).toMatchObject({ status: "succeeded", amount: price, booking_id: id, order_id: null });
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refunded", refunded_amount: price });
  expect(await balancesOf(desk.company)).not.toHaveProperty("Customer Advances");
  expect(await balancesOf(desk.company)).not.toHaveProperty("Razorpay Clearing");
  expect(await typesOf(desk.company, "type=booking.refunded")).toHaveLength(1);
  const more = await postRefund(desk.company, { ...reason, booking_id: id });
  expect(more).toMatchObject({ status: 422, body: { code: "refund_exceeds_payment", refundable_amount: 0 } });
});

test("money that is on its way is not marked as paid back elsewhere, and is due again if it fails", async () => {
  const { id, total_amount: price } = await paidBooking();
  must(await cancel(id), 200);
  await gatewayFaults(desk.company, desk.connected, { refund_pending: 1 });
  const sent = await newRefund(desk.company, { ...reason, booking_id: id });
  await gatewayFaults(desk.company, desk.connected, {});
  expect(await patch(id, { payment_status: "refunded" })).toMatchObject({
    status: 409,
    body: { code: "refund_in_progress" },
  });
  expect(await postRefund(desk.company, { ...reason, booking_id: id })).toMatchObject({
    ...{ status: 422, body: { refundable_amount: 0, pending_amount: price } },
  });
  await endAtGateway(desk, sent.gateway_refund_id, "succeeded");
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refunded" });
  await endAtGateway(desk, sent.gateway_refund_id, "failed");
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refund_due", refunded_amount: 0 });
  expect((await balancesOf(desk.company))["Customer Advances"]).toBe(-price);
  must(await retry(desk.company, sent.id), 200);
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refunded", refunded_amount: price });
});

test("after a failed refund staff may say that they gave it back themselves", async () => {
  const { id } = await paidBooking();
  must(await cancel(id), 200);
  await gatewayFaults(desk.company, desk.connected, { refund_refused: 1 });
  expect((await newRefund(desk.company, { ...reason, booking_id: id })).status).toBe("failed");
  await gatewayFaults(desk.company, desk.connected, {});
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refund_due" });
  must(await patch(id, { payment_status: "refunded" }), 200);
  expect(await balancesOf(desk.company)).not.toHaveProperty("Customer Advances");
});

test("what a gateway took and staff gave back by a payment mode leaves that mode's account", async () => {
  const before = await balancesOf(desk.company);
  const { id, total_amount: price } = await paidBooking();
  must(await cancel(id), 200);
  const refused = (words: string) => ({ status: 422, text: expect.stringContaining(words) });
  const by = (mode: number, body: object) => patch(id, { ...body, payment_mode_id: mode });
  expect(await by(1, { needs_review: false })).toMatchObject(refused("goes with a payment_status"));
  expect(await by(999, { payment_status: "refunded" })).toMatchObject(refused("names no payment mode"));
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refund_due" });
  must(await by(1, { payment_status: "refunded" }), 200);
  const { Cash: cash = 0, "Razorpay Clearing": clearing = 0, ...rest } = await balancesOf(desk.company);
  const { Cash: cashBefore = 0, "Razorpay Clearing": clearingBefore = 0, ...restBefore } = before;
  expect([cash - cashBefore, clearing - clearingBefore]).toEqual([-price, price]);
  expect(rest).toEqual(restBefore);
});

test("a payment mode is refused for money that no gateway has", async () => {
  day += 1;
  const { id } = await newBooking(opened.school, { booking_date: daysAhead(day), start_time: "10:00" });
  must(await patch(id, { status: "confirmed", payment_status: "paid", payment_mode_id: 2 }), 200);
  must(await cancel(id), 200);
  expect(await patch(id, { payment_status: "refunded", payment_mode_id: 1 })).toMatchObject({
    ...{ status: 422, body: { errors: [{ field: "payment_mode_id", code: "not_accepted" }] } },
  });
  must(await patch(id, { payment_status: "refunded" }), 200);
});

test("staff find bookings by what went back of their money", async () => {
  type Listed = { id: string; refund_status: string }[];
  const list = async (status: string) => {
    const path = `/settings/:company/bookings?refund_status=${status}&order=start`;
    return must(await desk.company.call<Listed>("GET", path), 200).body.data.map(({ id }) => id);
  };
  const { id, total_amount: price } = await paidBooking();
  expect(await list("none")).toContain(id);
  expect(await readByStaff(id)).toMatchObject({ refund_status: "none" });
  must(await desk.company.call("POST", `/settings/:company/bookings/${id}/invoice`, { body: {} }), 200);
  await gatewayFaults(desk.company, desk.connected, { refund_pending: 1 });
  const sent = await newRefund(desk.company, { reason: "deficiency", booking_id: id, amount: 10 });
  await gatewayFaults(desk.company, desk.connected, {});
  expect(await list("pending")).toEqual([id]);
  await endAtGateway(desk, sent.gateway_refund_id, "succeeded");
  expect(await readByStaff(id)).toMatchObject({ refund_status: "partial", refunded_amount: 10 });
  expect(await list("partial")).toContain(id);
  await newRefund(desk.company, { ...reason, booking_id: id, amount: price - 10 });
  expect(await list("refunded")).toContain(id);
  expect(await list("none")).not.toContain(id);
});

test("all that came for a paid booking goes back, what came twice too; its status stays", async () => {
  const { id, total_amount: price } = await paidBooking("twice");
  const sent = await newRefund(desk.company, { ...reason, booking_id: id });
  expect(sent).toMatchObject({ amount: price, status: "succeeded" });
  expect(sent.sibling_ids).toHaveLength(1);
  expect(await readByStaff(id)).toMatchObject({
    ...{ status: "confirmed", payment_status: "refunded", refunded_amount: 2 * price },
  });
});

test("a part of a paid booking goes back by a credit note on its invoice; it stays paid", async () => {
  await setRules(desk.company, { issue_invoices: true });
  const { id, total_amount: price } = await paidBooking();
  const told = () => typesOf(desk.company, "type=booking.partly_refunded");
  const before = (await told()).length;
  expect(await newRefund(desk.company, { reason: "deficiency", booking_id: id, amount: 10 })).toMatchObject({
    amount: 10,
  });
  expect(await readByStaff(id)).toMatchObject({ payment_status: "paid", refunded_amount: 10 });
  expect(await told()).toHaveLength(before + 1);
  expect(await newRefund(desk.company, { ...reason, booking_id: id })).toMatchObject({ amount: price - 10 });
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refunded", refunded_amount: price });
});

test("what is due of a cancelled booking is what is left of its payment", async () => {
  const { id, total_amount: price } = await paidBooking();
  await newRefund(desk.company, { reason: "deficiency", booking_id: id, amount: 10 });
  must(await cancel(id), 200);
  const due = await desk.company.call<{ ref_id: string; amount: number }[]>("GET", "/refunds/:company/due");
  expect(must(due, 200).body.data).toMatchObject([{ ref_id: id, amount: price - 10 }]);
  expect(await newRefund(desk.company, { ...reason, booking_id: id })).toMatchObject({ amount: price - 10 });
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refunded", refunded_amount: price });
});

test("a booking whose gateway gave the money back by itself is not marked as paid back once more", async () => {
  const { id } = await paidBooking();
  const [capture] = await rowsOf(
    desk.company,
    "SELECT gateway_payment_id AS payment FROM gateway_captures ORDER BY id DESC LIMIT 1",
  );
  await giveBack(desk, String(capture?.payment), { source: "console" });
  must(await cancel(id), 200);
  const due = await desk.company.call<object[]>("GET", "/refunds/:company/due");
  expect(must(due, 200).body.data).toEqual([]);
  expect(await patch(id, { payment_status: "refunded" })).toMatchObject({
    status: 409,
    body: { code: "has_gateway_refunds" },
  });
  const [sale] = await rowsOf(desk.company, "SELECT invoice_id FROM lesson_sales WHERE booking_id = ?", [id]);
  await newNote(desk.company, String(sale?.invoice_id));
  await expectSound(desk.company);
});

test("a part of one that has a receipt needs its invoice first", async () => {
  await setRules(desk.company, { issue_invoices: false });
  const { id } = await paidBooking();
  const refused = await postRefund(desk.company, { ...reason, booking_id: id, amount: 10 });
  expect(refused).toMatchObject({ status: 422, body: { code: "credit_note_required" } });
  must(await desk.company.call("POST", `/settings/:company/bookings/${id}/invoice`, { body: {} }), 200);
  expect((await newRefund(desk.company, { ...reason, booking_id: id, amount: 10 })).status).toBe("succeeded");
});

test("twenty at once: the gateway is asked once", async () => {
  const { id } = await paidBooking();
  const before = (await ledgerOf(desk)).length;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => postRefund(desk.company, { ...reason, booking_id: id })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await ledgerOf(desk)).length - before).toBe(1);
  const [row] = await rowsOf(
    desk.company,
    "SELECT count(*) AS open FROM gateway_refunds WHERE status IN ('created', 'pending')",
  );
  expect(row?.open).toBe(0);
});

test("all of it went back at the gateway's console: once its invoice is wholly credited, the booking is refunded", async () => {
  await setRules(desk.company, { issue_invoices: true });
  const { id, total_amount: price } = await paidBooking();
  const [paid] = await paymentsOf(desk.company, "booking", id);
  await giveBack(desk, paid?.payment ?? "", { source: "console" });
  expect(await readByStaff(id)).toMatchObject({ payment_status: "paid", needs_review: true });
  const [sale] = await rowsOf(desk.company, "SELECT invoice_id FROM lesson_sales WHERE booking_id = ?", [id]);
  await newNote(desk.company, String(sale?.invoice_id));
  expect(await readByStaff(id)).toMatchObject({
    ...{ payment_status: "refunded", refunded_amount: price, needs_review: false },
  });
});
