import { describe, expect, test } from "vitest";
import { gatewayFaults, play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { setClock } from "../../commerce.ts";
import { book, bookingState, readBooking, type School, schoolCall } from "../../school.ts";
import { change } from "../money/books.ts";
import {
  AT,
  agePayments,
  DATE,
  HOLD_SECONDS,
  openWithGateway,
  orderOf,
  PAGES,
  pay,
} from "./gateway-school.ts";

describe("a payment that comes after the hold ran out", () => {
  test("confirms the booking if the slot is still free", async () => {
    const { school } = await openWithGateway();
    const answer = await book(school, { ...AT, ...PAGES });
    await school.company.clock(HOLD_SECONDS + 60);
    await play(school.company, "razorpay", orderOf(answer), "paid");
    expect(await bookingState(school.company, answer.body.booking.id)).toBe("confirmed paid");
    await expectSound(school.company);
  });

  test("is due back where another has the slot, which stays with the other", async () => {
    const { school } = await openWithGateway();
    const late = await book(school, { ...AT, ...PAGES });
    await school.company.clock(HOLD_SECONDS + 60);
    const other = await book(school, { ...AT, ...PAGES });
    expect(other.status).toBe(201);
    await play(school.company, "razorpay", orderOf(late), "paid");
    await play(school.company, "razorpay", orderOf(other), "paid");
    const [first, second] = await Promise.all(
      [late, other].map(({ body }) => readBooking(school.company, body.booking.id)),
    );
    expect(first).toMatchObject({ status: "cancelled", payment_status: "refund_due" });
    expect(second).toMatchObject({ status: "confirmed", payment_status: "paid" });
    await expectSound(school.company);
  });

  test("is due back where the booking was cancelled meanwhile", async () => {
    const { school } = await openWithGateway();
    const answer = await book(school, { ...AT, ...PAGES });
    const { id } = answer.body.booking;
    await schoolCall(school.company, "POST", `/bookings/${id}/cancel`, { body: {} });
    await play(school.company, "razorpay", orderOf(answer), "paid");
    expect(await bookingState(school.company, id)).toBe("cancelled refund_due");
    expect(await pay(school, id)).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    await expectSound(school.company);
  });
});

test("events that come twice, at once and in disorder confirm once", async () => {
  const { school, gateway } = await openWithGateway();
  await gatewayFaults(school.company, gateway, {
    duplicate: 1,
    reordered: 1,
    together: 1,
    lost_answer: 0.3,
    seed: 5,
  });
  const answer = await book(school, { ...AT, ...PAGES });
  await play(school.company, "razorpay", orderOf(answer), "paid");
  expect(await readBooking(school.company, answer.body.booking.id)).toMatchObject({ status: "confirmed" });
  await expectSound(school.company);
});

test("a payment of another amount, and a second one, leave the booking to be looked at", async () => {
  const { school } = await openWithGateway();
  const wrong = await book(school, { ...AT, ...PAGES });
  await play(school.company, "razorpay", orderOf(wrong), "wrong_amount");
  expect(await readBooking(school.company, wrong.body.booking.id)).toMatchObject({
    payment_status: "unpaid",
  });
  const twice = await book(school, { ...AT, start_time: "14:00", ...PAGES });
  await play(school.company, "razorpay", orderOf(twice), "twice");
  expect(await readBooking(school.company, twice.body.booking.id)).toMatchObject({ status: "confirmed" });
  const marked = await school.company.rows("SELECT needs_review FROM bookings ORDER BY start_at");
  expect(marked).toEqual([{ needs_review: 1 }, { needs_review: 1 }]);
  await expectSound(school.company);
});

describe("money that comes for a booking which", () => {
  const review = async ({ company }: School) =>
    (await company.rows("SELECT needs_review FROM bookings"))[0]?.needs_review;

  test("another of its payments has paid already leaves it to be looked at", async () => {
    const { school } = await openWithGateway();
    const first = await book(school, { ...AT, ...PAGES });
    const { id } = first.body.booking;
    await agePayments(school);
    const second = await pay(school, id);
    await play(school.company, "razorpay", orderOf(second), "paid");
    expect(await review(school)).toBe(0);
    await play(school.company, "razorpay", orderOf(first), "paid");
    expect(await bookingState(school.company, id)).toBe("confirmed paid");
    expect(await review(school)).toBe(1);
    await expectSound(school.company);
  });

  test("was paid outside of this service leaves it to be looked at", async () => {
    const { school } = await openWithGateway();
    const answer = await book(school, { ...AT, ...PAGES });
    await change(school.company, answer.body.booking.id, { status: "confirmed", payment_status: "paid" });
    await play(school.company, "razorpay", orderOf(answer), "paid");
    expect(await review(school)).toBe(1);
    await expectSound(school.company);
  });

  test.each(["completed", "no_show"])("is %s pays it, and its lesson stays as it ended", async (status) => {
    const { school } = await openWithGateway();
    const answer = await book(school, { ...AT, ...PAGES });
    const { id } = answer.body.booking;
    await change(school.company, id, { status: "confirmed" });
    await setClock(school.company, `${DATE}T12:00:00+05:30`);
    await change(school.company, id, { status });
    await play(school.company, "razorpay", orderOf(answer), "paid");
    expect(await readBooking(school.company, id)).toMatchObject({ status, payment_status: "paid" });
    expect(await review(school)).toBe(0);
    await expectSound(school.company);
  });
});
