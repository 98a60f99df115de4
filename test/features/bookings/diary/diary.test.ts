import { expect, test } from "vitest";
import type * as z from "zod";
import type { Diary } from "../../../../src/features/bookings/diary/schema.ts";
import { must } from "../../../support/company.ts";
import { wrongField } from "../../refusal.ts";
import {
  addOverride,
  daysAhead,
  newBooking,
  newInstructor,
  openSchool,
  SYDNEY,
  schoolCall,
} from "../../school.ts";

type Read = z.infer<typeof Diary>;

const [first, second] = [daysAhead(7), daysAhead(8)];

test("a diary shows on each date who works, who is away and what is booked", async () => {
  const school = await openSchool(SYDNEY);
  const { company, instructorId } = school;
  const idle = await newInstructor(company, { name: "Tom Walker" });
  const late = await newBooking(school, { booking_date: first, start_time: "15:00" });
  const early = await newBooking(school, { booking_date: first, start_time: "09:00" });
  const gone = await newBooking(school, { booking_date: first, start_time: "11:00" });
  await schoolCall(company, "POST", `/bookings/${gone.id}/cancel`, { body: {} });
  await addOverride(school, {
    date: first,
    is_available: false,
    start: "12:00",
    end: "13:00",
    note: "Car service",
  });
  await addOverride(school, { date: second, is_available: false, note: "Holiday" });
  const read = async (query: string) =>
    must(await company.call<Read>("GET", `/settings/:company/diary?${query}`), 200);
  const { data } = (await read(`from=${first}&to=${second}`)).body;
  expect(data.timezone).toBe("Australia/Sydney");
  const shown = ({ id, booking_number, status, payment_status, start_time, end_time }: typeof late) => ({
    ...{ id, booking_number, status, payment_status, start_time, end_time },
    hold_expires_at: expect.any(String),
    contact: { name: "Mia Chen", phone: "0412 345 678" },
    customer: { id: expect.any(String), name: "Mia Chen", phone: "0412 345 678" },
    product_id: school.courseId,
    course: "Driving lesson",
    needs_review: false,
  });
  const none = { id: idle.id, name: "Tom Walker", working: [], away: [], bookings: [] };
  expect(data.days).toEqual([
    {
      date: first,
      instructors: [
        {
          id: instructorId,
          name: "Priya Raman",
          working: [
            { start: "09:00", end: "12:00" },
            { start: "13:00", end: "17:00" },
          ],
          away: [{ start: "12:00", end: "13:00", note: "Car service" }],
          bookings: [shown(early), shown(late)],
        },
        none,
      ],
    },
    {
      date: second,
      instructors: [
        {
          id: instructorId,
          name: "Priya Raman",
          working: [],
          away: [{ start: null, end: null, note: "Holiday" }],
          bookings: [],
        },
        none,
      ],
    },
  ]);
  const one = (await read(`from=${first}&to=${first}&instructor_id=${idle.id}`)).body.data;
  expect(one.days).toEqual([{ date: first, instructors: [none] }]);
});

test("who is switched off is shown while lessons are booked with them", async () => {
  const school = await openSchool(SYDNEY);
  const { company, instructorId } = school;
  await newBooking(school, { booking_date: first, start_time: "09:00" });
  await company.change(`/settings/:company/instructors/${instructorId}`, { is_active: false });
  const names = async (date: string) => {
    const answer = await company.call<Read>("GET", `/settings/:company/diary?from=${date}&to=${date}`);
    return answer.body.data.days[0]?.instructors.map(({ name }) => name);
  };
  expect(await names(first)).toEqual(["Priya Raman"]);
  expect(await names(second)).toEqual([]);
});

test("a diary is read with diary:read, of 14 days at most, of an instructor who is there", async () => {
  const { company } = await openSchool();
  const key = await company.key("diary:read");
  const read = (query: string) => company.call("GET", `/settings/:company/diary?${query}`, { key });
  expect((await read(`from=${first}&to=${daysAhead(20)}`)).status).toBe(200);
  expect(await read(`from=${first}&to=${daysAhead(21)}`)).toMatchObject(wrongField("to"));
  expect(await read(`to=${first}`)).toMatchObject({ status: 422, body: { errors: [{ field: "from" }] } });
  expect((await read(`from=${first}&to=${first}&instructor_id=999`)).body.code).toBe("not_found");
});
