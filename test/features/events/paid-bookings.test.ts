import { expect, test } from "vitest";
import { expectSound } from "../../support/oracles.ts";
import { AT, openWithGateway } from "../bookings/bookings/gateway-school.ts";
import { DATE, openShop, packagesOf } from "../bookings/packages/package-shop.ts";
import { newPackage, STUDENT } from "../school.ts";
import { eventsOf, faultyEvents, typesOf } from "./events.ts";

test("a booking that staff make as paid leaves both events; one with a package leaves none of a payment", async () => {
  const { school } = await openWithGateway();
  const { company } = school;
  const made = async (fields: object) => {
    const { instructorId: instructor_id, courseId: product_id } = school;
    const body = { customer: STUDENT, instructor_id, product_id, status: "confirmed", ...fields };
    const path = "/settings/:company/bookings";
    return company.make<{ id: string; customer: { id: string } }>(path, body);
  };
  const { customer, ...paid } = await made({ ...AT, payment_status: "paid" });
  expect(await typesOf(company, `resource=booking&record_id=${paid.id}`)).toEqual([
    "booking.confirmed",
    "booking.paid",
  ]);
  const [event] = await eventsOf(company, "type=booking.paid");
  expect(event).toMatchObject({ data: { id: paid.id, payment_status: "paid" }, previous: null });
  const unpaid = await made({ ...AT, start_time: "14:00" });
  expect(await typesOf(company, `resource=booking&record_id=${unpaid.id}`)).toEqual(["booking.confirmed"]);
  const owned = await newPackage(school, { customer_id: customer.id });
  const lesson = await made({ ...AT, start_time: "16:00", package_id: owned.id });
  expect(await typesOf(company, `resource=booking&record_id=${lesson.id}`)).toEqual(["booking.confirmed"]);
  expect(await faultyEvents(company)).toBe(0);
});

test("a package that staff sell as paid is granted with its booking, and leaves the same events", async () => {
  const { company, school, packageId } = await openShop();
  const body = {
    ...{ customer: STUDENT, instructor_id: school.instructorId, product_id: packageId, booking_date: DATE },
    ...{ start_time: "10:00", status: "confirmed", payment_status: "paid" },
  };
  const { id } = await company.make<{ id: string }>("/settings/:company/bookings", body);
  expect(await packagesOf(company)).toMatchObject([{ booking_id: id, sessions_used: 1, status: "active" }]);
  expect(await typesOf(company, `resource=booking&record_id=${id}`)).toEqual([
    "booking.confirmed",
    "booking.paid",
  ]);
  await expectSound(company);
});
