import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { AT, openWithGateway } from "../bookings/bookings/gateway-school.ts";
import { newPackage, STUDENT } from "../school.ts";
import { eventsOf, faultyEvents, typesOf } from "./events.ts";

test("a booking that staff make as paid leaves both events; one with a package leaves none of a payment", async () => {
  const { school } = await openWithGateway();
  const { company } = school;
  const made = async (fields: object) => {
    const { instructorId: instructor_id, courseId: product_id } = school;
    const body = { customer: STUDENT, instructor_id, product_id, status: "confirmed", ...fields };
    const path = "/settings/:company/bookings";
    return must(await company.call<{ id: string; customer: { id: string } }>("POST", path, { body }), 201)
      .body.data;
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
