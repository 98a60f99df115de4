import { describe, expect, onTestFinished, test } from "vitest";
import { gatewayFaults, play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { setClock } from "../../commerce.ts";
import { book, bookingState, readBooking, schoolCall } from "../../school.ts";
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

/** A school of its own with a booking whose payment was started. */
async function started() {
  const { school, gateway } = await openWithGateway();
  const { company } = school;
  onTestFinished(() => expectSound(company));
  const first = await book(school, { ...AT, ...PAGES });
  return {
    ...{ school, company, gateway, first, id: first.body.booking.id },
    paid: (of: Parameters<typeof orderOf>[0], outcome: Parameters<typeof play>[3] = "paid") =>
      play(company, "razorpay", orderOf(of), outcome),
    reviews: async () =>
      (await company.rows("SELECT needs_review FROM bookings ORDER BY start_at")).map(
        ({ needs_review }) => needs_review,
      ),
  };
}

describe("a payment that comes after the hold ran out", () => {
  test("confirms the booking if the slot is still free", async () => {
    const { company, first, id, paid } = await started();
    await company.clock(HOLD_SECONDS + 60);
    await paid(first);
    expect(await bookingState(company, id)).toBe("confirmed paid");
  });

  test("is due back where another has the slot, which stays with the other", async () => {
    const { school, company, first, id, paid } = await started();
    await company.clock(HOLD_SECONDS + 60);
    const other = await book(school, { ...AT, ...PAGES });
    expect(other.status).toBe(201);
    await paid(first);
    await paid(other);
    expect(await bookingState(company, id)).toBe("cancelled refund_due");
    expect(await bookingState(company, other.body.booking.id)).toBe("confirmed paid");
  });

  test("is due back where the booking was cancelled meanwhile", async () => {
    const { school, company, first, id, paid } = await started();
    await schoolCall(company, "POST", `/bookings/${id}/cancel`, { body: {} });
    await paid(first);
    expect(await bookingState(company, id)).toBe("cancelled refund_due");
    expect(await pay(school, id)).toMatchObject({ status: 409, body: { code: "invalid_status" } });
  });
});

test("events that come twice, at once and in disorder confirm once", async () => {
  const { company, gateway, first, id, paid } = await started();
  const faults = { duplicate: 1, reordered: 1, together: 1, lost_answer: 0.3, seed: 5 };
  await gatewayFaults(company, gateway, faults);
  await paid(first);
  expect(await readBooking(company, id)).toMatchObject({ status: "confirmed" });
});

test("a payment of another amount, and a second one, leave the booking to be looked at", async () => {
  const { school, company, first, id, paid, reviews } = await started();
  await paid(first, "wrong_amount");
  expect(await readBooking(company, id)).toMatchObject({ payment_status: "unpaid" });
  const twice = await book(school, { ...AT, start_time: "14:00", ...PAGES });
  await paid(twice, "twice");
  expect(await readBooking(company, twice.body.booking.id)).toMatchObject({ status: "confirmed" });
  expect(await reviews()).toEqual([1, 1]);
});

describe("money that comes for a booking which", () => {
  test("another of its payments has paid already leaves it to be looked at", async () => {
    const { school, company, first, id, paid, reviews } = await started();
    await agePayments(school);
    await paid(await pay(school, id));
    expect(await reviews()).toEqual([0]);
    await paid(first);
    expect(await bookingState(company, id)).toBe("confirmed paid");
    expect(await reviews()).toEqual([1]);
  });

  test("was paid outside of this service leaves it to be looked at", async () => {
    const { company, first, id, paid, reviews } = await started();
    await change(company, id, { status: "confirmed", payment_status: "paid" });
    await paid(first);
    expect(await reviews()).toEqual([1]);
  });

  test.each(["completed", "no_show"])("is %s pays it, and its lesson stays as it ended", async (status) => {
    const { company, first, id, paid, reviews } = await started();
    await change(company, id, { status: "confirmed" });
    await setClock(company, `${DATE}T12:00:00+05:30`);
    await change(company, id, { status });
    await paid(first);
    expect(await bookingState(company, id)).toBe(`${status} paid`);
    expect(await reviews()).toEqual([0]);
  });
});
