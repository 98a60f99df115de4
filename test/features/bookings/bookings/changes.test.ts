import { afterEach, describe, expect, test } from "vitest";
import { addDays } from "#shared/time/dates.ts";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer, setClock } from "../../commerce.ts";
import { refusal } from "../../refusal.ts";
import {
  type BookingRecord,
  book,
  browserOf,
  everyDay,
  newBooking,
  newInstructor,
  newPackage,
  offered,
  openSchool,
  readBooking,
  type School,
  STUDENT,
  schoolCall,
  setRules,
} from "../../school.ts";
import { change as byStaff } from "../money/books.ts";
import { dateOfEachTest } from "../own-date.ts";

// The day after it and the day before it are the test's own too.
const AT = dateOfEachTest(4, 4);
const [school, inKolkata] = await Promise.all([openSchool({}), openSchool({ timezone: "Asia/Kolkata" })]);
const browser = await browserOf(inKolkata.company);
await setRules(inKolkata.company, { pending_hours: 0 });
afterEach(() => Promise.all([school, inKolkata].map(({ company }) => expectSound(company))));

function change(school: School, verb: "cancel" | "reschedule", id: string, body: object, call = {}) {
  const path = `/bookings/${id}/${verb}`;
  return schoolCall<{ booking: BookingRecord }>(school.company, "POST", path, { body, ...call });
}

describe("POST /bookings/{id}/cancel", () => {
  test("frees the slot, and answers the same however often it is called", async () => {
    const made = await newBooking(school, AT);
    const answers = [];
    for (let call = 0; call < 2; call += 1)
      answers.push(await change(school, "cancel", made.id, { reason: "Unwell" }));
    expect(answers[0]).toMatchObject({ status: 200, body: { success: true } });
    expect(answers[0]?.body.booking).toEqual({ ...made, status: "cancelled", hold_expires_at: null });
    expect(answers[1]?.body.booking).toEqual(answers[0]?.body.booking);
    expect(await offered(school, AT.booking_date)).toContain("10:00");
    expect(await school.company.rows("SELECT cancel_reason FROM bookings WHERE id = ?", made.id)).toEqual([
      { cancel_reason: "Unwell" },
    ]);
  });

  test("needs no body", async () => {
    const { id } = await newBooking(school, AT);
    const answer = await schoolCall(school.company, "POST", `/bookings/${id}/cancel`);
    expect(answer.status).toBe(200);
  });

  test("gives a package its session back, once", async () => {
    const { id: customerId } = await newCustomer(school.company, STUDENT);
    const { id: packageId } = await newPackage(school, { customer_id: customerId, sessions_total: 1 });
    const first = await newBooking(school, { ...AT, booking_package_id: packageId });
    const full = await book(school, { ...AT, start_time: "14:00", booking_package_id: packageId });
    expect(full).toMatchObject({ status: 422, body: { code: "package_exhausted" } });
    for (let call = 0; call < 2; call += 1)
      expect((await change(school, "cancel", first.id, {})).body.booking).toMatchObject({
        status: "cancelled",
        payment_status: "paid",
      });
    await newBooking(school, { ...AT, start_time: "14:00", booking_package_id: packageId });
  });

  test("up to the beginning of the window is accepted from a browser", async () => {
    const school = inKolkata;
    const { id } = await newBooking(school, AT);
    await byStaff(school.company, id, { status: "confirmed" });
    await setClock(school.company, `${addDays(AT.booking_date, -1)}T09:59:00+05:30`);
    const answer = await change(school, "cancel", id, {}, browser);
    expect(answer.status).toBe(200);
  });

  test("of a lesson that has begun, or of a hold that ran out, is 409", async () => {
    const school = inKolkata;
    await setRules(school.company, { cancel_window_hours: 0 });
    const past = await newBooking(school, AT);
    await setRules(school.company, { pending_hours: 1 });
    const expired = await newBooking(school, {
      booking_date: addDays(AT.booking_date, 2),
      start_time: "10:00",
    });
    await setClock(school.company, `${AT.booking_date}T10:00:05+05:30`);
    for (const id of [past.id, expired.id])
      expect(await change(school, "cancel", id, { force: true })).toMatchObject(
        refusal(409, "invalid_status"),
      );
    await setRules(school.company, { cancel_window_hours: 24, pending_hours: 0 });
  });
});

describe("POST /bookings/{id}/reschedule", () => {
  test("moves a booking, onto a time that overlaps its own too", async () => {
    await setRules(school.company, { slot_step_minutes: 15 });
    const made = await newBooking(school, AT);
    for (const [booking_date, start_time, end_time] of [
      [AT.booking_date, "10:30", "11:30"],
      [addDays(AT.booking_date, 1), "15:00", "16:00"],
    ]) {
      const answer = await change(school, "reschedule", made.id, { booking_date, start_time });
      expect(answer).toMatchObject({ status: 200, body: { success: true } });
      expect(answer.body.booking).toEqual({ ...made, booking_date, start_time, end_time });
      expect(await readBooking(school.company, made.id)).toEqual(answer.body.booking);
    }
    expect(await offered(school, AT.booking_date)).toContain("10:00");
  });

  test("onto a time that is another's is 409, and the booking stays where it was", async () => {
    const made = await newBooking(school, AT);
    await newBooking(school, { ...AT, start_time: "14:00" });
    const answer = await change(school, "reschedule", made.id, { ...AT, start_time: "15:00" });
    expect(answer).toMatchObject({ status: 409, body: { code: "slot_unavailable" } });
    expect(await readBooking(school.company, made.id)).toEqual(made);
    expect((await book(school, AT)).status).toBe(409);
  });

  test("onto a time that is no slot is 409 where it overlaps another's, and 422 where only its own", async () => {
    const made = await newBooking(school, AT);
    await newBooking(school, { ...AT, start_time: "14:00" });
    const move = (start_time: string) => change(school, "reschedule", made.id, { ...AT, start_time });
    for (const time of ["13:20", "14:20"])
      expect(await move(time)).toMatchObject(refusal(409, "slot_unavailable"));
    expect(await move("10:20")).toMatchObject(refusal(422, "slot_not_offered"));
    expect(await readBooking(school.company, made.id)).toEqual(made);
  });

  test("to another instructor keeps to what that one teaches and offers", async () => {
    const { company } = school;
    const [tom, manual] = await Promise.all([
      newInstructor(company, { name: "Tom Reid", schedule: everyDay("18:00-20:00") }),
      newInstructor(company, { transmission: "manual", schedule: everyDay("18:00-20:00") }),
    ]);
    const { id } = await newBooking(school, AT);
    const move = (instructor_id: number, start_time: string) =>
      change(school, "reschedule", id, { ...AT, start_time, instructor_id });
    expect((await move(manual.id, "18:00")).body.code).toBe("invalid_instructor");
    expect((await move(999_999, "18:00")).body.code).toBe("invalid_instructor");
    expect((await move(tom.id, "10:00")).body.code).toBe("slot_not_offered");
    const moved = await move(tom.id, "18:00");
    expect(moved.body.booking).toMatchObject({
      start_time: "18:00",
      instructor: { id: tom.id, name: "Tom Reid" },
    });
    expect(await offered(school, AT.booking_date)).toContain("10:00");
  });

  test("keeps the session of its package and the number of the booking", async () => {
    const { id: customerId } = await newCustomer(school.company, STUDENT);
    const { id } = await newPackage(school, { customer_id: customerId, sessions_total: 1 });
    const made = await newBooking(school, { ...AT, booking_package_id: id });
    const { body } = await change(school, "reschedule", made.id, { ...AT, start_time: "14:00" });
    expect(body.booking).toMatchObject({ booking_number: made.booking_number, status: "confirmed" });
  });

  test("of what is cancelled is refused", async () => {
    const { id } = await newBooking(school, AT);
    await change(school, "cancel", id, {});
    const to = { ...AT, start_time: "11:00" };
    expect((await change(school, "reschedule", id, to)).body.code).toBe("invalid_status");
  });
});

test.each(["cancel", "reschedule"] as const)(
  "to %s inside the cancellation window is 422, but for a secret key that insists",
  async (verb) => {
    const school = inKolkata;
    const { id } = await newBooking(school, AT);
    if (verb === "cancel") await byStaff(school.company, id, { status: "confirmed" });
    await setClock(school.company, `${addDays(AT.booking_date, -1)}T10:00:05+05:30`);
    const before = await readBooking(school.company, id);
    const body = verb === "cancel" ? {} : { ...AT, start_time: "14:00" };
    for (const [more, call] of [
      [{}, {}],
      [{}, browser],
      [{ force: true }, browser],
    ] as const)
      expect(await change(school, verb, id, { ...body, ...more }, call)).toMatchObject(
        refusal(422, "cancel_window_passed"),
      );
    expect(await readBooking(school.company, id)).toEqual(before);
    const insisted = await change(school, verb, id, { ...body, force: true });
    expect(insisted).toMatchObject({
      status: 200,
      body: { booking: verb === "cancel" ? { id, status: "cancelled" } : { id, start_time: "14:00" } },
    });
  },
);
