import { afterEach, describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { connectGateway } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer as customerOf } from "../../commerce.ts";
import { refusal, wrongField } from "../../refusal.ts";
import {
  daysAhead,
  newBooking,
  newPackage,
  openSchool,
  type School,
  STAFF_BOOKINGS,
  STUDENT,
  type StaffBooking,
  setRules,
} from "../../school.ts";
import { dateOfEachTest } from "../own-date.ts";

const WHEN = dateOfEachTest(7, 2);
const school = await openSchool({}, { windows: ["00:00-23:00"] });
await connectGateway(school.company, "stripe");
afterEach(() => expectSound(school.company));

function bookFor({ company, instructorId, courseId }: School, fields: object) {
  const body = { instructor_id: instructorId, product_id: courseId, ...WHEN, ...fields };
  return company.call<StaffBooking>("POST", STAFF_BOOKINGS, { body });
}

async function unnotified({ company }: School, id: string): Promise<boolean> {
  const sql = "SELECT unnotified_at = updated_at AS quiet FROM bookings WHERE id = ?";
  return (await company.rows(sql, id))[0]?.quiet === 1;
}

const newCustomer = async (person: object = STUDENT) => (await customerOf(school.company, { ...person })).id;

describe("booking on behalf", () => {
  test("of a customer who is known, confirmed and paid elsewhere", async () => {
    const customer_id = await newCustomer();
    const made = must(await bookFor(school, { customer_id, status: "confirmed" }), 201).body.data;
    expect(made).toMatchObject({
      status: "confirmed",
      payment_status: "unpaid",
      hold_expires_at: null,
      customer: { id: customer_id, name: STUDENT.name },
    });
    const paid = { customer_id, start_time: "14:00", status: "confirmed", payment_status: "paid" };
    expect((await bookFor(school, paid)).body.data).toMatchObject({ payment_status: "paid" });
    expect((await bookFor(school, { customer_id, start_time: "10:30" })).body.code).toBe("slot_unavailable");
    expect(await bookFor(school, { customer_id, force: true })).toMatchObject(
      refusal(409, "slot_unavailable"),
    );
  });

  test("of a customer given by name is held as usual", async () => {
    const made = must(await bookFor(school, { customer: STUDENT }), 201).body.data;
    expect(made).toMatchObject({ status: "pending", hold_expires_at: expect.any(String), customer: STUDENT });
  });

  test("uses the customer's own package, and no other's", async () => {
    const customer_id = await newCustomer();
    const own = await newPackage(school, { customer_id });
    const by = { booking_package_id: own.id, product_id: null };
    const other = await newCustomer({ name: "Ravi Iyer", email: "ravi@example.com" });
    expect(await bookFor(school, { ...by, customer_id: other })).toMatchObject(
      refusal(422, "package_not_found"),
    );
    const made = await bookFor(school, { ...by, customer_id });
    expect(made.body.data).toMatchObject({ status: "confirmed", booking_package_id: own.id });
  });

  test("with force passes the minimum notice and the advance window, and no time that has begun", async () => {
    await setRules(school.company, { advance_days: 3, min_notice_minutes: 40_000 });
    const customer_id = await newCustomer();
    expect((await bookFor(school, { customer_id })).body.code).toBe("slot_not_offered");
    expect((await bookFor(school, { customer_id, force: true })).status).toBe(201);
    const soon = { customer_id, force: true, booking_date: daysAhead(2) };
    expect((await bookFor(school, soon)).status).toBe(201);
    expect((await bookFor(school, { ...soon, booking_date: daysAhead(-2) })).body).toMatchObject({
      code: "slot_not_offered",
      reason: "past_date",
    });
    await setRules(school.company, { advance_days: 90, min_notice_minutes: 120 });
  });

  test("notifies the customer unless staff turn that off, until the next change", async () => {
    const customer_id = await newCustomer();
    const { id } = (await bookFor(school, { customer_id, status: "confirmed", notify: false })).body.data;
    expect(await unnotified(school, id)).toBe(true);
    const move = (body: object) =>
      school.company.call<StaffBooking>("POST", `${STAFF_BOOKINGS}/${id}/reschedule`, {
        body: { ...WHEN, ...body },
      });
    must(await move({ start_time: "13:00" }), 200);
    expect(await unnotified(school, id)).toBe(false);
    must(await move({ start_time: "15:00", notify: false }), 200);
    expect(await unnotified(school, id)).toBe(true);
    const cancelled = await school.company.call<StaffBooking>("POST", `${STAFF_BOOKINGS}/${id}/cancel`, {
      body: { reason: "Workshop", notify: true },
    });
    expect(cancelled.body.data).toMatchObject({ status: "cancelled", cancel_reason: "Workshop" });
    expect(await unnotified(school, id)).toBe(false);
  });

  test.each([
    [{}, "customer_id"],
    [{ customer_id: "1", customer: STUDENT }, "customer_id"],
    [{ customer_id: "999" }, "customer_id"],
    [{ customer_id: "1", payment_status: "paid" }, "payment_status"],
    [{ customer_id: "1", status: "expired" }, "status"],
    [{ customer_id: "1", notify: "no" }, "notify"],
    [{ customer_id: "1", product_id: null }, "product_id"],
  ])("refuses %j by the field %s", async (fields, field) => {
    expect(await bookFor(school, fields)).toMatchObject(wrongField(field));
  });
});

test("staff cancel and move inside the cancellation window with force, with diary:write alone", async () => {
  await setRules(school.company, { cancel_window_hours: 1_000 });
  const key = await school.company.key("diary:write");
  const { id } = await newBooking(school, WHEN);
  await school.company.call("PATCH", `${STAFF_BOOKINGS}/${id}`, { key, body: { status: "confirmed" } });
  const call = (verb: string, body: object) =>
    school.company.call<StaffBooking>("POST", `${STAFF_BOOKINGS}/${id}/${verb}`, { key, body });
  const other = { ...WHEN, start_time: "15:00" };
  expect((await call("reschedule", other)).body.code).toBe("cancel_window_passed");
  expect((await call("cancel", {})).body.code).toBe("cancel_window_passed");
  const moved = await call("reschedule", { ...other, force: true });
  expect(moved.body.data).toMatchObject({ start_time: "15:00", customer: STUDENT });
  const cancelled = await call("cancel", { force: true });
  expect(cancelled.body.data).toMatchObject({ status: "cancelled" });
  expect((await call("reschedule", { ...WHEN, force: true })).body.code).toBe("invalid_status");
});
