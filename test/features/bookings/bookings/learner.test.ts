import { afterEach, describe, expect, test } from "vitest";
import { connectGateway, play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { refusedFields } from "../../commerce.ts";
import { times } from "../../money.ts";
import {
  book,
  bookingState,
  everyDay,
  newBooking,
  newInstructor,
  openSchool,
  readBooking,
  STUDENT,
  schoolCall,
  setRules,
} from "../../school.ts";
import { dateOfEachTest } from "../own-date.ts";
import { orderOf, PAGES, pay } from "./gateway-school.ts";

const AT = dateOfEachTest(7);
const OWN = { status: 409, body: { code: "slot_overlaps_own" } };
const school = await openSchool({});
const { company } = school;
await setRules(company, { buffer_minutes: 0, slot_step_minutes: 30 });
const { id: instructorId } = await newInstructor(company, {
  name: "Tom Reid",
  schedule: everyDay("09:00-17:00"),
});
const other = { ...school, instructorId };
afterEach(() => expectSound(company));

describe("one learner", () => {
  test("cannot hold two lessons at one time, by whichever mark; two after each other are fine", async () => {
    await newBooking(school, AT);
    for (const customer of [STUDENT, { name: "M", phone: "+61 412 345 678" }])
      for (const start_time of ["09:30", "10:00", "10:30"])
        expect(await book(other, { ...AT, start_time, customer })).toMatchObject(OWN);
    for (const start_time of ["09:00", "11:00"]) await newBooking(other, { ...AT, start_time });
    await newBooking(other, { ...AT, customer: { name: "Leo", email: "leo@example.com" } });
  });

  test("cannot by ten calls at once either", async () => {
    await newBooking(school, { ...AT, start_time: "15:00" });
    const answers = await times(10, (index) => book(index % 2 === 0 ? school : other, AT));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("cannot move a lesson onto another of theirs, which leaves it where it was", async () => {
    await newBooking(school, AT);
    const { id } = await newBooking(other, { ...AT, start_time: "14:00" });
    const body = { ...AT, start_time: "10:30" };
    expect(await schoolCall(company, "POST", `/bookings/${id}/reschedule`, { body })).toMatchObject(OWN);
    expect((await readBooking(company, id)).start_time).toBe("14:00");
  });

  test("whose late payment would make two is owed the money back", async () => {
    await connectGateway(company, "razorpay");
    const late = await book(school, { ...AT, ...PAGES });
    await company.clock(16 * 60);
    await newBooking(other, AT);
    const { id } = late.body.booking;
    expect(await pay(school, id)).toMatchObject(OWN);
    await play(company, "razorpay", orderOf(late), "paid");
    expect(await bookingState(company, id)).toBe("cancelled refund_due");
  });
});

describe("a contact phone", () => {
  test("must be a phone", async () => {
    for (const phone of ["call me", "-", "12", "1234567890123456", "0412 345 678 or mum", "<b>0412345678"]) {
      const answer = await book(school, { ...AT, customer: { name: "M", email: "m@example.com", phone } });
      expect(answer, phone).toMatchObject({ status: 422 });
      expect(refusedFields(answer as never)).toEqual({ "customer.phone": "invalid_phone" });
    }
  });
});
