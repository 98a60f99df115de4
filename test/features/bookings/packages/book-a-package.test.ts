import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { book, expectStatus, newCourse, schoolCall } from "../../school.ts";
import { DATE, openShop, PAGES, packagesOf, useSession } from "./package-shop.ts";

describe("a booking of a package product", () => {
  async function bookPackage() {
    const opened = await openShop();
    const { school, packageId } = opened;
    const at = { booking_date: DATE, start_time: "10:00", product_id: packageId, ...PAGES };
    const answer = expectStatus(await book(school, at), 201);
    const pay = (outcome: "paid" | "twice" = "paid") =>
      play(opened.company, "razorpay", String(answer.body.payment.payment_data?.gateway_order_id), outcome);
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
    await expectSound(company);
  });

  test("is granted where its school takes the money itself, too", async () => {
    const { company, booking } = await bookPackage();
    const body = { status: "confirmed", payment_status: "paid" };
    must(await company.call("PATCH", `/settings/:company/bookings/${booking.id}`, { body }), 200);
    expect(await packagesOf(company)).toMatchObject([{ booking_id: booking.id, sessions_used: 1 }]);
    await expectSound(company);
  });

  test("takes the package back when it is cancelled, as its money is due back", async () => {
    const { company, booking, pay, school } = await bookPackage();
    await pay();
    const [granted] = await packagesOf(company);
    expectStatus(await useSession(school, granted?.id, "14:00"), 201);
    expectStatus(await schoolCall(company, "POST", `/bookings/${booking.id}/cancel`, { body: {} }), 200);
    expect(await packagesOf(company)).toMatchObject([{ status: "cancelled", sessions_used: 1 }]);
    const { body } = await company.call<{ needs_review: boolean; payment_status: string }[]>(
      "GET",
      "/settings/:company/bookings",
    );
    expect(body.data).toMatchObject([
      { needs_review: true, payment_status: "paid" },
      { needs_review: true, payment_status: "refund_due" },
    ]);
    await expectSound(company);
  });

  test("is 422 where the package names no lesson", async () => {
    const { company, school } = await openShop();
    const product_id = await newCourse(company, { is_package: true, sessions: 5 });
    const refused = await book(school, { booking_date: DATE, start_time: "10:00", product_id });
    expect(refused).toMatchObject({ status: 422, body: { code: "invalid_product" } });
  });
});
