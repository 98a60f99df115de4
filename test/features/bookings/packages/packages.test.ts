import { describe, expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer, refusedFields } from "../../commerce.ts";
import { refusal } from "../../refusal.ts";
import {
  daysAhead,
  newBooking,
  newCourse,
  newPackage,
  openSchool,
  STUDENT,
  schoolCall,
} from "../../school.ts";

const SETTINGS = "/settings/:company";

describe("packages", () => {
  test("belong to a customer and a lesson, and are found by either mark of the customer", async () => {
    const school = await openSchool({});
    const own = school.company;
    const { id: customerId } = await newCustomer(own, STUDENT);
    const made = await newPackage(school, {
      customer_id: customerId,
      expires_at: "2099-06-30T00:00:00+10:00",
    });
    expect(made).toEqual({
      id: expect.any(Number),
      customer_id: customerId,
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
      customer_id: customerId,
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
    const school = await openSchool({});
    const own = school.company;
    const { id: customerId } = await newCustomer(own, STUDENT);
    const { id } = await newPackage(school, { customer_id: customerId, sessions_total: 2 });
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
    const school = await openSchool({});
    const own = school.company;
    const { id: customer_id } = await newCustomer(own, STUDENT);
    const bundle = await newCourse(own, { is_package: true, sessions: 5 });
    for (const [fields, refused] of [
      [{ customer_id: 999_999 }, { customer_id: "not_found" }],
      [{ product_id: 999_999 }, { product_id: "not_a_lesson" }],
      [{ product_id: bundle }, { product_id: "not_a_lesson" }],
      [{ sessions_total: 0 }, { sessions_total: "too_small" }],
    ] as const) {
      const body = { customer_id, product_id: school.courseId, sessions_total: 5, ...fields };
      const answer = await own.call("POST", `${SETTINGS}/booking-packages`, { body });
      expect(answer.status).toBe(422);
      expect(refusedFields(answer)).toEqual(refused);
    }
  });
});
