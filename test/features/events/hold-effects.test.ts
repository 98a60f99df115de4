import { expect, test } from "vitest";
import {
  AT,
  HOLD_SECONDS,
  openWithGateway,
  orderOf,
  PAGES,
  pay,
} from "../bookings/bookings/gateway-school.ts";
import { book, expectStatus, newBooking } from "../school.ts";
import { deliver, razorpayEvent } from "../storefront/shop.ts";
import { eventsOf, faultyEvents, typesOf } from "./events.ts";

const PATIENT = { timeout: 60_000, interval: 100 };

// Its clock goes forward only.
const { school, gateway } = await openWithGateway();
const { company } = school;

test("a gateway's event for a booking whose hold ran out unmarked makes both events, in their order", async () => {
  const booked = expectStatus(await book(school, { ...AT, ...PAGES }), 201);
  const { id } = booked.body.booking;
  const order = orderOf(booked);
  await company.clock(HOLD_SECONDS + 1);
  const placed = {
    total_amount: booked.body.booking.total_amount,
    currency: "INR",
    payment_data: { gateway_order_id: order },
  };
  expect((await deliver(company, gateway, razorpayEvent(placed as never))).status).toBe(200);
  expect(await typesOf(company, `resource=booking&record_id=${id}`)).toEqual([
    "booking.held",
    "booking.expired",
    "booking.confirmed",
    "booking.paid",
  ]);
  const [paid, confirmed] = await eventsOf(company, `resource=booking&record_id=${id}`);
  expect(Number(paid?.sequence) - Number(confirmed?.sequence)).toBe(1);
  expect(await faultyEvents(company)).toBe(0);
});

test("the clock records once that a hold ran out, also if /pay renews it first", async () => {
  const { id } = await newBooking(school, { ...AT, start_time: "14:00" });
  const whose = `resource=booking&record_id=${id}`;
  await company.clock(2 * HOLD_SECONDS + 2);
  expectStatus(await pay(school, id), 200);
  expect(await typesOf(company, whose)).toEqual(["booking.held", "booking.expired", "booking.held"]);
  await company.clock(4 * HOLD_SECONDS);
  await expect.poll(() => typesOf(company, `type=booking.expired&${whose}`), PATIENT).toHaveLength(2);
  const [expired] = await eventsOf(company, `type=booking.expired&${whose}`);
  expect(expired).toMatchObject({
    actor: { type: "system" },
    data: { id, status: "expired" },
    previous: { status: "pending" },
  });
  expect(await faultyEvents(company)).toBe(0);
});
