import { beforeAll, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { balancesOf } from "../captures/captures.ts";
import { rowsOf } from "../commerce.ts";
import { daysAhead, newBooking, setRules } from "../school.ts";
import { deliver } from "../storefront/shop.ts";
import {
  endAtGateway,
  getRefund,
  giveBack,
  newRefund,
  postRefund,
  refundEvent,
  type Shop,
} from "./refunds.ts";

let opened: Awaited<ReturnType<typeof openWithGateway>>;
let desk: Shop;
let day = 6;
beforeAll(async () => {
  opened = await openWithGateway();
  desk = { company: opened.school.company, connected: opened.gateway };
  await setRules(desk.company, { issue_invoices: false });
});

const cancellation = { reason: "cancellation" };
const bookingPath = (id: string) => `/settings/:company/bookings/${id}`;

async function readByStaff(id: string) {
  return must(await desk.company.call<object>("GET", bookingPath(id)), 200).body.data;
}
function markRefunded(id: string) {
  return desk.company.call("PATCH", bookingPath(id), { body: { payment_status: "refunded" } });
}
async function openInCheck(): Promise<string[]> {
  type Check = { open: { invariant: string }[] };
  const answer = await desk.company.call<Check>("GET", "/ledger/:company/self-check");
  return must(answer, 200).body.data.open.map(({ invariant }) => invariant);
}

/** A booking whose money has a receipt, and the gateway's id of its payment. */
async function withReceipt() {
  day += 1;
  const booking = await newBooking(opened.school, { booking_date: daysAhead(day), start_time: "10:00" });
  await play(desk.company, "razorpay", orderOf(await pay(opened.school, booking.id)), "paid");
  const [capture] = await rowsOf(
    desk.company,
    "SELECT gateway_payment_id AS payment FROM gateway_captures ORDER BY id DESC LIMIT 1",
  );
  return { id: booking.id, price: booking.total_amount, payment: String(capture?.payment) };
}
async function newestRefund() {
  const [row] = await rowsOf(desk.company, "SELECT id FROM gateway_refunds ORDER BY id DESC LIMIT 1");
  return getRefund(desk.company, String(row?.id));
}

test("a gateway gave a receipt's money back: once staff mark it refunded, the books say so once", async () => {
  const before = await balancesOf(desk.company);
  const { id, payment } = await withReceipt();
  await giveBack(desk, payment, { source: "console" });
  expect(await newestRefund()).toMatchObject({ source: "gateway", needs_review: true });
  expect(await readByStaff(id)).toMatchObject({ payment_status: "paid", needs_review: true });
  must(await markRefunded(id), 200);
  expect(await balancesOf(desk.company)).toEqual(before);
  expect(await newestRefund()).toMatchObject({ needs_review: false });
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refunded", needs_review: false });
  expect(await openInCheck()).toEqual([]);
  await expectSound(desk.company);
});

test("a gateway gave a part back: a refund sends the rest, and nothing is left", async () => {
  const before = await balancesOf(desk.company);
  const { id, price, payment } = await withReceipt();
  await giveBack(desk, payment, { source: "console", amount: 4_000 });
  expect(await newRefund(desk.company, { ...cancellation, booking_id: id })).toMatchObject({
    ...{ status: "succeeded", amount: price - 40 },
  });
  expect(await balancesOf(desk.company)).toEqual(before);
  expect(await readByStaff(id)).toMatchObject({
    ...{ payment_status: "refunded", refunded_amount: price, needs_review: false },
  });
  expect(await openInCheck()).toEqual([]);
  await expectSound(desk.company);
});

test("what staff have marked as refunded first, and its gateway reports after that, went back once", async () => {
  const before = await balancesOf(desk.company);
  const { id, price, payment } = await withReceipt();
  must(await desk.company.call("POST", `${bookingPath(id)}/cancel`, { body: {} }), 200);
  must(await markRefunded(id), 200);
  const made = await giveBack(desk, payment, { source: "console" });
  expect(await newestRefund()).toMatchObject({ source: "gateway", amount: price, needs_review: false });
  expect(await balancesOf(desk.company)).toEqual(before);
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refunded", needs_review: false });
  expect(await openInCheck()).toEqual([]);
  await expectSound(desk.company);

  await endAtGateway(desk, made.id, "failed");
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refund_due", refunded_amount: 0 });
  expect(await newRefund(desk.company, { ...cancellation, booking_id: id })).toMatchObject({ amount: price });
  expect(await balancesOf(desk.company)).toEqual(before);
  await expectSound(desk.company);
});

test("all of it: there is nothing to refund", async () => {
  const { id, payment } = await withReceipt();
  await giveBack(desk, payment, { source: "console" });
  expect(await postRefund(desk.company, { ...cancellation, booking_id: id })).toMatchObject({
    ...{ status: 422, body: { code: "refund_exceeds_payment", refundable_amount: 0 } },
  });
  must(await markRefunded(id), 200);
  await expectSound(desk.company);
});

test("while it is on its way, nothing else goes back", async () => {
  const { id, payment } = await withReceipt();
  const entity = {
    ...{ id: "rfnd_Pending", entity: "refund", payment_id: payment, amount: 4_000, currency: "INR" },
    ...{ status: "pending", notes: [], receipt: null },
  };
  must(await deliver(desk.company, desk.connected, refundEvent(entity, "refund.created")), 200);
  for (const answer of [
    await markRefunded(id),
    await postRefund(desk.company, { ...cancellation, booking_id: id }),
  ])
    expect(answer).toMatchObject({ status: 409, body: { code: "refund_in_progress" } });
});

test("a refund that its bank sends back after that is money that waits, and due again", async () => {
  const before = await balancesOf(desk.company);
  const { id, price, payment } = await withReceipt();
  const made = await giveBack(desk, payment, { source: "console" });
  must(await markRefunded(id), 200);
  await endAtGateway(desk, made.id, "failed");
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refund_due", refunded_amount: 0 });
  expect(await balancesOf(desk.company)).toEqual({
    ...before,
    ...{ "Customer Advances": -price, "Razorpay Clearing": (before["Razorpay Clearing"] ?? 0) + price },
  });
  await expectSound(desk.company);
  expect(await newRefund(desk.company, { ...cancellation, booking_id: id })).toMatchObject({ amount: price });
  expect(await balancesOf(desk.company)).toEqual(before);
  await expectSound(desk.company);
});

test("its invoice may be issued instead: the customer owes what the gateway gave back", async () => {
  const owed = (await balancesOf(desk.company))["Sundry Debtors"] ?? 0;
  const { id, price, payment } = await withReceipt();
  await giveBack(desk, payment, { source: "console" });
  must(await desk.company.call("POST", `${bookingPath(id)}/invoice`, { body: {} }), 200);
  expect((await balancesOf(desk.company))["Sundry Debtors"]).toBe(owed + price);
  expect(await newestRefund()).toMatchObject({ needs_review: true });
  await expectSound(desk.company);
});

test("what else a booking is reviewed for stays, when its gateway's refund is no cause any more", async () => {
  const { id, payment } = await withReceipt();
  await giveBack(desk, payment, { source: "console" });
  await rowsOf(desk.company, "UPDATE bookings SET needs_review = 1 WHERE id = ?", [id]);
  must(await markRefunded(id), 200);
  expect(await readByStaff(id)).toMatchObject({ payment_status: "refunded", needs_review: true });
});
