import { describe, expect, test } from "vitest";
import { play } from "../../../support/gateways.ts";
import { newBooking, newVisit, readBooking } from "../../school.ts";
import { openWithGateway } from "../bookings/gateway-school.ts";
import { dateOfEachTest } from "../own-date.ts";
import { expectNoChange, submit, visit } from "./visitor.ts";

const AT = dateOfEachTest(4, 4);
const stripe = (await openWithGateway("stripe")).school;

test("GET by a crawler changes nothing, whatever it opens", async () => {
  const { path } = await newVisit(stripe, AT);
  const move = `/move?date=${AT.booking_date}`;
  const ends = ["", "?paid=0", "/move", move, "/booking.ics", "/cancel", "/pay", "/paid"];
  await expectNoChange(stripe.company, path, ends);
});

describe("pay", () => {
  test("through Razorpay answers a form of its hosted checkout; its callback waits for the gateway's word", async () => {
    const { school } = await openWithGateway("razorpay");
    const { path, booking } = await newVisit(school, AT);
    const { status, text } = await submit(`${path}/pay`, { once: "p" });
    expect(status).toBe(200);
    expect(text).toMatch(/action="[^"]+\/v1\/checkout\/embedded"/);
    const order = /name="order_id" value="([^"]+)"/.exec(text)?.[1] ?? "";
    expect(text).toContain(`${path}/paid"`);
    const leased = {
      razorpay_payment_id: "pay_x",
      razorpay_order_id: order,
      razorpay_signature: "f".repeat(64),
    };
    const back = await submit(`${path}/paid`, leased);
    expect(back).toMatchObject({ status: 303, location: expect.stringMatching(/\?paid=0$/) });
    expect(await readBooking(school.company, booking.id)).toMatchObject({ payment_status: "unpaid" });
    const waiting = await visit(`${path}?paid=0`);
    expect(waiting.text).toContain('http-equiv="refresh" content="1;url=');
    expect((await visit(`${path}?paid=6`)).text).not.toContain("http-equiv");
    await play(school.company, "razorpay", order, "paid");
    const paid = await visit(`${path}?paid=1`);
    expect(paid.text).toContain("your lesson is confirmed");
    expect(paid.text).toMatch(/75(?:\.00)?, paid</);
    expect(paid.text).not.toContain("http-equiv");
  });

  test("renews an expired hold once while the slot is free, and not once it is taken", async () => {
    const school = stripe;
    const { path, booking } = await newVisit(school, AT);
    const lapse = "UPDATE bookings SET hold_expires_at = 1 WHERE id = ?";
    await school.company.rows(lapse, booking.id);
    expect((await visit(path)).text).toContain("You can still pay");
    await newBooking(school, { ...AT, customer: { name: "Ben", email: "ben@example.com" } });
    const taken = await submit(`${path}/pay`, { once: "1" });
    expect(taken).toMatchObject({ status: 409, text: expect.stringContaining("has just been taken") });
    const other = await newVisit(school, { ...AT, start_time: "14:00" });
    await school.company.rows(lapse, other.booking.id);
    expect(await submit(`${other.path}/pay`, { once: "1" })).toMatchObject({ status: 303 });
    await school.company.rows(lapse, other.booking.id);
    expect((await visit(other.path)).text).toContain("the lesson was not booked");
    expect(await submit(`${other.path}/pay`, { once: "2" })).toMatchObject({ status: 409 });
  });
});
