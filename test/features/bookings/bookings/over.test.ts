import { afterEach, describe, expect, test } from "vitest";
import { connectGateway, play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer, setClock } from "../../commerce.ts";
import {
  book,
  bookingState,
  newBooking,
  newPackage,
  openSchool,
  STUDENT,
  schoolCall,
  setRules,
  staffPatch,
} from "../../school.ts";
import { dateOfEachTest } from "../own-date.ts";
import { orderOf, PAGES } from "./gateway-school.ts";

// The school's clock goes forward only.
const AT = dateOfEachTest(7, 2);
const school = await openSchool({ timezone: "Asia/Kolkata" });
await connectGateway(school.company, "razorpay");
afterEach(() => expectSound(school.company));
const begin = () => setClock(school.company, `${AT.booking_date}T10:30:00+05:30`);

test.each(["expired", "still held"])(
  "a payment that comes once its lesson has begun, for a booking that is %s is due back, and can be refunded",
  async (hold) => {
    const { company } = school;
    if (hold === "still held") {
      await setRules(company, { hold_minutes: 1_440, min_notice_minutes: 0 });
      await setClock(company, `${AT.booking_date}T09:00:00+05:30`);
    }
    const answer = await book(school, { ...AT, ...PAGES });
    const { id } = answer.body.booking;
    await begin();
    await play(company, "razorpay", orderOf(answer), "paid");
    expect(await bookingState(company, id)).toBe("cancelled refund_due");
    const seen = await company.rows("SELECT cancel_reason FROM bookings WHERE id = ?", id);
    expect(seen).toEqual([{ cancel_reason: "paid_after_start" }]);
    const refunded = await staffPatch(company, id, { payment_status: "refunded" });
    expect(refunded.body.data).toMatchObject({ status: "cancelled", payment_status: "refunded" });
  },
);

describe("a paid lesson that has begun", () => {
  async function begun() {
    const { id } = await newBooking(school, AT);
    await staffPatch(school.company, id, { status: "confirmed", payment_status: "paid" });
    const early = await staffPatch(school.company, id, { payment_status: "refunded" });
    expect(early.body.code).toBe("invalid_status");
    expect((await staffPatch(school.company, id, { status: "cancelled" })).body.code).toBe("invalid_status");
    await begin();
    return { company: school.company, id };
  }

  test.each(["completed", "no_show"])("can be refunded once it is %s, which it stays", async (status) => {
    const { company, id } = await begun();
    await staffPatch(company, id, { status });
    const { body } = await staffPatch(company, id, { payment_status: "refunded" });
    expect(body.data).toMatchObject({ status, payment_status: "refunded" });
    const again = await staffPatch(company, id, { payment_status: "paid" });
    expect(again.body.data).toMatchObject({ status, payment_status: "paid" });
  });

  test("can be cancelled by its school: what was paid is due back, then refunded", async () => {
    const { company, id } = await begun();
    const { body } = await staffPatch(company, id, { status: "cancelled" });
    expect(body.data).toMatchObject({ status: "cancelled", payment_status: "refund_due" });
    expect((await staffPatch(company, id, { payment_status: "refunded" })).body.data).toMatchObject({
      status: "cancelled",
      payment_status: "refunded",
    });
  });

  test("can be cancelled and refunded in one call", async () => {
    const { company, id } = await begun();
    const { body } = await staffPatch(company, id, { status: "cancelled", payment_status: "refunded" });
    expect(body.data).toMatchObject({ status: "cancelled", payment_status: "refunded" });
  });

  test("has no money to refund where a package paid for it; cancelled, its session is back", async () => {
    const { company } = school;
    const student = { ...STUDENT, email: "package@example.com", phone: "0498 765 432" };
    const customer = await newCustomer(company, student);
    const owned = await newPackage(school, { customer_id: customer.id });
    const { id } = await newBooking(school, {
      ...AT,
      ...{ customer: student, product_id: undefined, booking_package_id: owned.id },
    });
    await begin();
    expect((await staffPatch(company, id, { payment_status: "refunded" })).body.code).toBe("invalid_status");
    const { body } = await staffPatch(company, id, { status: "cancelled" });
    expect(body.data).toMatchObject({ status: "cancelled", payment_status: "paid" });
    const query = `/packages?customer_email=${student.email}`;
    const { packages } = (await schoolCall<{ packages: { sessions_used: number }[] }>(company, "GET", query))
      .body;
    expect(packages.map(({ sessions_used }) => sessions_used)).toEqual([0]);
  });
});
