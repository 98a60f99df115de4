import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectSound, rowCounts } from "../../../support/oracles.ts";
import { newCustomer } from "../../commerce.ts";
import { refusal } from "../../refusal.ts";
import { book as bookAs, expectStatus, newCourse, newPackage, openSchool, schoolCall } from "../../school.ts";
import { dateOfEachTest } from "../own-date.ts";

// Each test has a learner of its own too in the school that they share.
const AT = dateOfEachTest(7);
let learners = 10;
let student: { name: string; email: string; phone: string };
const own = await openSchool({});
afterEach(() => expectSound(own.company));
beforeEach(() => {
  learners += 1;
  student = { name: "Mia Chen", email: `mia.${learners}@example.com`, phone: `0412 345 6${learners}` };
});

const book: typeof bookAs = (school, fields, call) => bookAs(school, { customer: student, ...fields }, call);

describe("with a package", () => {
  test("a booking is confirmed and paid, takes a session, and needs no course", async () => {
    const { id: customerId } = await newCustomer(own.company, student);
    const { id } = await newPackage(own, { customer_id: customerId, sessions_total: 2 });
    const { body } = expectStatus(
      await book(own, { ...AT, product_id: undefined, booking_package_id: id }),
      201,
    );
    expect(body.booking).toMatchObject({ status: "confirmed", payment_status: "paid", total_amount: 0 });
    expect(body.payment).toMatchObject({ required: false, status: "not_required" });
    const path = `/packages?customer_email=${encodeURIComponent(student.email.toUpperCase())}`;
    const { packages } = JSON.parse((await schoolCall(own.company, "GET", path)).text);
    expect(packages).toMatchObject([{ id, sessions_used: 1, sessions_remaining: 1, status: "active" }]);
  });

  test("that is another's, a removed customer's, unknown, cancelled or over, a booking is one and the same 422", async () => {
    const { id: other } = await newCustomer(own.company, { name: "Zoe", email: "zoe@example.com" });
    const { id: mine } = await newCustomer(own.company, student);
    const { id: gone } = await newCustomer(own.company, student);
    const [foreign, left, cancelled, over] = await Promise.all([
      newPackage(own, { customer_id: other }),
      newPackage(own, { customer_id: gone }),
      newPackage(own, { customer_id: mine, status: "cancelled" }),
      newPackage(own, { customer_id: mine, expires_at: "2026-01-01T00:00:00Z" }),
    ]);
    await own.company.call("DELETE", `/customers/:company/${gone}`);
    const texts = new Set<string>();
    const before = await rowCounts(own.company);
    for (const id of [foreign.id, left.id, cancelled.id, over.id, 999_999]) {
      const at = { ...AT, booking_package_id: id };
      for (const fields of [{}, { product_id: undefined }]) {
        const { status, body } = await book(own, { ...at, ...fields });
        expect([status, body.code]).toEqual([422, "package_not_found"]);
        texts.add(body.message);
      }
    }
    expect(texts.size).toBe(1);
    expect(await rowCounts(own.company)).toEqual(before);
  });

  test("from a server, an e-mail address that is not the owner's is refused, whatever phone is beside it", async () => {
    const { company } = own;
    const { id: customer_id } = await newCustomer(company, student);
    const { id } = await newPackage(own, { customer_id, sessions_total: 3 });
    const by = (customer: object, start_time: string) =>
      book(own, { ...AT, start_time, booking_package_id: id, customer: { name: "Mia", ...customer } });
    const before = await rowCounts(company);
    const { email, phone } = student;
    expect(await by({ phone, email: "him@example.com" }, "10:00")).toMatchObject(
      refusal(422, "package_not_found"),
    );
    expect(await rowCounts(company)).toEqual(before);
    expect((await by({ phone }, "10:00")).status).toBe(201);
    expect((await by({ email: email.toUpperCase() }, "12:00")).status).toBe(201);
    expect((await by({ email, phone: "0499 999 999" }, "14:00")).status).toBe(201);
  });

  test("of an owner without an e-mail address, the phone is enough for a server, whatever address is beside it", async () => {
    const { phone } = student;
    const { id: customer_id } = await newCustomer(own.company, { name: "Mia", phone });
    const { id } = await newPackage(own, { customer_id });
    const customer = { name: "Mia", phone, email: "another.mia@example.com" };
    const at = { ...AT, booking_package_id: id, customer };
    expect((await book(own, at)).status).toBe(201);
  });

  test("of another course a booking is 422", async () => {
    const { id: customerId } = await newCustomer(own.company, student);
    const { id } = await newPackage(own, { customer_id: customerId });
    const product_id = await newCourse(own.company);
    const at = { ...AT, booking_package_id: id, product_id };
    expect(await book(own, at)).toMatchObject({ status: 422, body: { code: "invalid_product" } });
  });
});
