import { describe, expect, onTestFinished, test } from "vitest";
import { play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer } from "../../commerce.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import {
  book,
  daysAhead,
  expectStatus,
  newBooking,
  newCourse,
  newPackage,
  openSchool,
  STUDENT,
  schoolCall,
} from "../../school.ts";
import { AT, orderOf, PAGES } from "../bookings/gateway-school.ts";
import { change } from "../money/books.ts";
import { openShop, packagesOf, useSession } from "./package-shop.ts";

const SETTINGS = "/settings/:company";

describe("packages", async () => {
  const school = await openSchool({});
  const own = school.company;
  const { id: customer_id } = await newCustomer(own, STUDENT);

  test("belong to a customer and a lesson, and are found by either mark of the customer", async () => {
    const made = await newPackage(school, {
      customer_id,
      expires_at: "2099-06-30T00:00:00+10:00",
    });
    expect(made).toEqual({
      id: expect.any(Number),
      customer_id,
      customer_confirmed: true,
      product_id: school.courseId,
      name: "Driving lesson",
      sessions_total: 5,
      sessions_used: 0,
      sessions_remaining: 5,
      expires_at: "2099-06-29T14:00:00.000Z",
      status: "active",
      order_id: null,
      booking_id: null,
      created_at: made.created_at,
      updated_at: made.updated_at,
    });
    const second = await newPackage(school, {
      customer_id,
      name: "Extra",
      expires_at: "2026-01-01T00:00:00Z",
    });
    expect(second.status).toBe("expired");
    for (const query of ["customer_email=MIA@example.com", "customer_phone=%2B61%20412%20345%20678"]) {
      const { packages } = JSON.parse((await schoolCall(own, "GET", `/packages?${query}`)).text);
      expect(packages).toEqual([second, made]);
    }
    expect(
      JSON.parse((await schoolCall(own, "GET", "/packages?customer_email=x@y.z")).text).packages,
    ).toEqual([]);
    expect((await schoolCall(own, "GET", "/packages")).status).toBe(422);
  });

  test("cannot be cut below the sessions used, nor removed once used", async () => {
    const { id } = await newPackage(school, { customer_id, sessions_total: 2 });
    const path = `${SETTINGS}/booking-packages/${id}`;
    for (const day of [7, 8])
      await newBooking(school, { booking_date: daysAhead(day), start_time: "10:00", booking_package_id: id });
    expect(await own.call("PATCH", path, { body: { sessions_total: 1 } })).toMatchObject(
      refusal(422, "package_exhausted"),
    );
    expect(await own.call("DELETE", path)).toMatchObject({ status: 409, body: { code: "in_use" } });
    expect(
      (await own.call("PATCH", path, { body: { sessions_total: 3 } })).body.data.sessions_remaining,
    ).toBe(1);
    await expectSound(own);
  });

  test("without a customer or a lesson are 422", async () => {
    const bundle = await newCourse(own, { is_package: true, sessions: 5 });
    for (const [fields, refused] of [
      [{ customer_id: 999_999 }, { customer_id: "not_found" }],
      [{ product_id: 999_999 }, { product_id: "not_a_lesson" }],
      [{ product_id: bundle }, { product_id: "not_a_lesson" }],
      [{ sessions_total: 0 }, { sessions_total: "too_small" }],
    ] as const) {
      const body = { customer_id, product_id: school.courseId, sessions_total: 5, ...fields };
      const answer = await own.call("POST", `${SETTINGS}/booking-packages`, { body });
      expectRefused(answer, refused);
    }
  });
});

describe("a booking of a package product", () => {
  async function bookPackage() {
    const opened = await openShop();
    const { school, packageId } = opened;
    onTestFinished(() => expectSound(opened.company));
    const at = { ...AT, product_id: packageId, ...PAGES };
    const answer = expectStatus(await book(school, at), 201);
    const pay = (outcome: "paid" | "twice" = "paid") =>
      play(opened.company, "razorpay", orderOf(answer), outcome);
    return { ...opened, booking: answer.body.booking, pay };
  }

  test("grants the package once it is paid, its own lesson being session one", async () => {
    const { company, booking, pay, school } = await bookPackage();
    expect(booking).toMatchObject({ status: "pending", total_amount: 300, end_time: "11:00" });
    expect(await packagesOf(company)).toEqual([]);
    await pay("twice");
    const [granted, ...others] = await packagesOf(company);
    expect(others).toEqual([]);
    expect(granted).toMatchObject({
      booking_id: booking.id,
      product_id: school.courseId,
      sessions_total: 5,
      sessions_used: 1,
      status: "active",
    });
    expectStatus(await useSession(school, granted?.id, "14:00"), 201);
    expect((await packagesOf(company))[0]).toMatchObject({ sessions_used: 2 });
  });

  test("is granted where its school takes the money itself, too", async () => {
    const { company, booking } = await bookPackage();
    await change(company, booking.id, { status: "confirmed", payment_status: "paid" });
    expect(await packagesOf(company)).toMatchObject([{ booking_id: booking.id, sessions_used: 1 }]);
  });

  test("takes the package back when it is cancelled, as its money is due back", async () => {
    const { company, booking, pay, school } = await bookPackage();
    await pay();
    const [granted] = await packagesOf(company);
    expectStatus(await useSession(school, granted?.id, "14:00"), 201);
    expectStatus(await schoolCall(company, "POST", `/bookings/${booking.id}/cancel`, { body: {} }), 200);
    expect(await packagesOf(company)).toMatchObject([{ status: "cancelled", sessions_used: 1 }]);
    expect(await company.read("/settings/:company/bookings")).toMatchObject([
      { needs_review: true, payment_status: "paid" },
      { needs_review: true, payment_status: "refund_due" },
    ]);
  });
});
