import { describe, expect, test } from "vitest";
import { setClock } from "../../commerce.ts";
import {
  type BookingRecord,
  expectStatus,
  newBooking,
  type School,
  schoolCall,
  setRules,
} from "../../school.ts";
import { change } from "../money/books.ts";
import { dateOfEachTest } from "../own-date.ts";
import { leaveRefund, paidVisit } from "../page/paid-visit.ts";
import { openWithGateway, PAGES, pay } from "./gateway-school.ts";

const HOUR_MS = 3_600_000;

const AT = dateOfEachTest(8, 2);
const { school } = await openWithGateway("stripe");
const paidAt = (outcome: "paid" | "twice" = "paid") => paidVisit(AT, school, outcome);

async function cancellation({ company }: School, id: string) {
  const answer = await schoolCall<{ booking: BookingRecord }>(company, "GET", `/bookings/${id}`);
  return expectStatus(answer, 200).body.booking.cancellation;
}

/** The instant so many hours before a booking starts. */
async function hoursBefore({ company }: School, id: string, hours: number): Promise<string> {
  const [row] = await company.rows("SELECT start_at FROM bookings WHERE id = ?", id);
  return new Date(Number(row?.start_at) - hours * HOUR_MS).toISOString();
}

describe("the read of a booking says until when its visitor can cancel it, and what comes back", () => {
  test("of an unpaid hold: until it starts, and nothing", async () => {
    const { id } = await newBooking(school, AT);
    expect(await cancellation(school, id)).toEqual({
      until: await hoursBefore(school, id, 0),
      refund_amount: 0,
    });
  });

  test("of a paid one: until the window, and its price, less what went back", async () => {
    const paid = await paidAt();
    const until = await hoursBefore(school, paid.id, 24);
    expect(await cancellation(school, paid.id)).toEqual({ until, refund_amount: 75 });
    await leaveRefund(paid, { status: "succeeded", amount: 3_000 });
    expect(await cancellation(school, paid.id)).toEqual({ until, refund_amount: 45 });
  });

  test("of a paid one that its school gives back by rule: its price", async () => {
    await setRules(school.company, { refund_on_cancel: "full" });
    const { id } = await paidAt();
    expect(await cancellation(school, id)).toMatchObject({ refund_amount: 75 });
    await setRules(school.company, { refund_on_cancel: "off" });
  });

  test("of one that was paid twice: both payments", async () => {
    const { id } = await paidAt("twice");
    expect(await cancellation(school, id)).toMatchObject({ refund_amount: 150 });
  });

  test("of one that staff confirmed unpaid: until the window, and nothing", async () => {
    const { id } = await newBooking(school, AT);
    await change(school.company, id, { status: "confirmed" });
    expect(await cancellation(school, id)).toEqual({
      until: await hoursBefore(school, id, 24),
      refund_amount: 0,
    });
  });

  test("nothing once it is too late, as the cancel is refused then, or it is cancelled", async () => {
    const { company } = school;
    const { id } = await paidAt();
    const until = await hoursBefore(school, id, 24);
    await setClock(company, new Date(Date.parse(until) + 5_000).toISOString());
    expect(await cancellation(school, id)).toBeNull();
    const cancel = () => schoolCall(company, "POST", `/bookings/${id}/cancel`, { body: {} });
    expect(await cancel()).toMatchObject({ status: 422, body: { code: "cancel_window_passed" } });
    await company.clock(0);
    expectStatus(await cancel(), 200);
    expect(await cancellation(school, id)).toBeNull();
  });
});

describe.each([
  ["plain", "{booking_id}"],
  ["as URLSearchParams writes it", "%7Bbooking_id%7D"],
])("the place of the booking's id in the addresses to return to, %s,", (_, place) => {
  test.each(["paid", "failed"] as const)("has the id when the payment is %s", async (outcome) => {
    const booking = await newBooking(school, AT);
    const address = (page: string) => `${page}?booking=${place}&again=${place}`;
    const addresses = { return_url: address(PAGES.return_url), cancel_url: address(PAGES.cancel_url) };
    const started = expectStatus(await pay(school, booking.id, addresses), 200);
    const body = new URLSearchParams({ outcome });
    const left = await fetch(String(started.body.payment.payment_url), {
      ...{ method: "POST", body, redirect: "manual" },
    });
    const page = outcome === "paid" ? PAGES.return_url : PAGES.cancel_url;
    expect(left.headers.get("Location")).toBe(`${page}?booking=${booking.id}&again=${booking.id}`);
  });
});
