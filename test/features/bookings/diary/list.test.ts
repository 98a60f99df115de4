import { expect, test } from "vitest";
import {
  addOverride,
  daysAhead,
  everyDay,
  newBooking,
  newInstructor,
  openSchool,
  STAFF_BOOKINGS,
  type StaffBooking,
  SYDNEY,
  setSchedule,
} from "../../school.ts";

const RAVI = { name: "Ravi Iyer", email: "ravi@example.com", phone: "+61 498 765 432" };

const school = await openSchool(SYDNEY);
const { company } = school;
const other = {
  ...school,
  instructorId: (await newInstructor(company, { schedule: everyDay("09:00-17:00") })).id,
};
const first = await newBooking(school, { booking_date: daysAhead(9), start_time: "10:00" });
const second = await newBooking(school, {
  booking_date: daysAhead(7),
  start_time: "09:00",
  customer: RAVI,
});
const third = await newBooking(other, { booking_date: daysAhead(8), start_time: "16:00", customer: RAVI });
const list = async (query: string) =>
  (await company.call<StaffBooking[]>("GET", `${STAFF_BOOKINGS}${query}`)).body;
const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);

test("a calendar reads bookings by their start, in pages, of dates in the school's zone", async () => {
  expect(await ids("?order=start")).toEqual([second.id, third.id, first.id]);
  const page = await list("?order=start&limit=2");
  expect(page.paging.has_more).toBe(true);
  const cursor = encodeURIComponent(page.paging.next_cursor ?? "");
  expect(await ids(`?order=start&limit=2&cursor=${cursor}`)).toEqual([first.id]);
  expect((await list(`?order=created&limit=2&cursor=${cursor}`)) as object).toMatchObject({
    code: "invalid_cursor",
  });
  expect(await ids(`?from=${daysAhead(7)}&to=${daysAhead(8)}`)).toEqual([third.id, second.id]);
  // 09:00 in Sydney is the evening before in UTC.
  expect(await ids(`?order=start&from=${daysAhead(7)}&to=${daysAhead(7)}`)).toEqual([second.id]);
  expect(await ids(`?order=start&from=${daysAhead(8)}`)).toEqual([third.id, first.id]);
  expect(await ids(`?to=${daysAhead(6)}`)).toEqual([]);
});

test("bookings are found by instructor, customer, number, name, e-mail address, phone and state", async () => {
  expect(await ids(`?instructor_id=${other.instructorId}`)).toEqual([third.id]);
  const [{ customer }] = (await list(`?q=${second.booking_number}`)).data as [StaffBooking];
  expect(customer).toMatchObject(RAVI);
  for (const q of [`customer_id=${customer.id}`, "q=ravi", "q=ra", "q=RAVI@example", "q=498%20765"])
    expect(await ids(`?${q}`), q).toEqual([third.id, second.id]);
  expect(await ids(`?q=${first.booking_number.toLowerCase()}`)).toEqual([first.id]);
  expect(await ids("?q=nobody")).toEqual([]);
  expect(await ids("?q=ravi&order=start&limit=1")).toEqual([second.id]);
  await company.rows("UPDATE bookings SET needs_review = 1 WHERE id = ?", second.id);
  expect(await ids("?needs_review=true")).toEqual([second.id]);
  expect(await ids("?needs_review=false")).toEqual([third.id, first.id]);
  expect(await ids("?payment_status=unpaid&order=start")).toEqual([second.id, third.id, first.id]);
});

test("lessons to come that lie outside of the hours are listed", async () => {
  expect(await ids("?outside_hours=true")).toEqual([]);
  await addOverride(school, { date: daysAhead(9), is_available: false });
  expect(await ids("?outside_hours=true")).toEqual([first.id]);
  await setSchedule(school, everyDay("09:30-17:00"));
  expect(await ids("?outside_hours=true")).toEqual([second.id, first.id]);
  expect(await ids("?outside_hours=false")).toEqual([third.id]);
});

test.each([
  ["to=2026-12-01&from=2026-12-02", "to"],
  ["from=2026-12-01&to=2027-02-02", "to"],
  ["from=yesterday", "from"],
  ["instructor_id=x", "instructor_id"],
  ["order=newest", "order"],
  ["needs_review=maybe", "needs_review"],
  ["q=", "q"],
])("?%s names the field that is wrong", async (query, field) => {
  const answer = await company.call("GET", `${STAFF_BOOKINGS}?${query}`);
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } });
});
