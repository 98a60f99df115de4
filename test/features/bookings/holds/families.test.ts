import { expect, test } from "vitest";
import { play } from "../../../support/gateways.ts";
import { randomAddress } from "../../../support/http.ts";
import { expectSound } from "../../../support/oracles.ts";
import { type Booked, daysAhead, everyDay, newInstructor, schoolCall } from "../../school.ts";
import { orderOf, PAGES } from "../bookings/gateway-school.ts";
import { openUsual } from "./page.ts";

const FAMILIES = 30;
const CALLS = 6;
const NAT = "203.0.113.40";

test("thirty families behind one address go through the whole flow within a minute: start, dates, book, pay", async () => {
  const { school, company, from } = await openUsual();
  const ids = [school.instructorId];
  while (ids.length < 10) ids.push((await newInstructor(company, { schedule: everyDay("09:00-17:00") })).id);
  const times = ["09:00", "10:15", "11:30"];
  let calls = 0;
  const one = async (family: number) => {
    const read = async (path: string, headers = {}) => {
      calls += 1;
      const answer = await schoolCall(company, "GET", path, from(NAT, headers));
      expect(answer.status, path).toBe(200);
      return answer;
    };
    const { visitor } = (await read("/start?with_next=true")).body as unknown as { visitor: string };
    const own = { "X-Visitor": visitor };
    const instructor = ids[family % 10];
    const dates = `/availability/dates?instructor_id=${instructor}&from=${daysAhead(1)}&to=${daysAhead(20)}&slots=true`;
    await read(dates, own);
    // Another month, and back.
    await read(dates, own);
    calls += 1;
    const made = await schoolCall<Booked>(company, "POST", "/bookings", {
      body: {
        customer: { name: "Family", email: `family${family}@example.com` },
        ...{ instructor_id: instructor, product_id: school.courseId, visitor, ...PAGES },
        ...{ booking_date: daysAhead(7), start_time: times[Math.floor(family / 10)] },
      },
      ...from(NAT, own),
    });
    expect(made.status).toBe(201);
    const { booking } = made.body;
    await play(company, "razorpay", orderOf(made), "paid");
    for (const _look of [1, 2]) await read(`/bookings/${booking.id}`, own);
    return booking.id;
  };
  for (let family = 0; family < FAMILIES; family += 1) await one(family);
  expect(calls).toBe(FAMILIES * CALLS);
  expect(await company.rows("SELECT status, count(*) AS n FROM bookings GROUP BY status")).toEqual([
    { status: "confirmed", n: FAMILIES },
  ]);
  await expectSound(company);
}, 180_000);

test("a visitor has 120 calls a minute, as have all without a token; a token is none elsewhere", async () => {
  const { company, from } = await openUsual();
  const address = randomAddress();
  const remaining = async (headers = {}, where = address) => {
    const answer = await schoolCall(company, "GET", "/settings", from(where, headers));
    return Number(answer.headers.get("X-RateLimit-Remaining"));
  };
  const start = await schoolCall<{ visitor: string }>(company, "GET", "/start", from(address));
  const mine = { "X-Visitor": start.body.visitor };
  expect(await remaining(mine)).toBe(119);
  expect(await remaining()).toBe(118);
  expect(await remaining(mine)).toBe(118);
  for (const token of ["x", `${start.body.visitor}x`, "é".repeat(43)])
    await remaining({ "X-Visitor": encodeURIComponent(token) });
  expect(await remaining()).toBe(114);
  expect(await remaining(mine, randomAddress())).toBe(119);
  expect(await remaining(mine)).toBe(117);
});

test("a household of 64 addresses uses 1,200 calls a minute of a key, and no other caller is refused for them", async () => {
  const { company, from } = await openUsual();
  const call = (lan: number) =>
    schoolCall(company, "GET", "/locations", from(`2001:db8:7:ab${lan.toString(16).padStart(2, "0")}::1`));
  let admitted = 0;
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(Array.from({ length: 128 }, (_, place) => call(place % 64)));
    admitted += answers.filter(({ status }) => status === 200).length;
  }
  expect(admitted).toBeGreaterThan(1_100);
  expect(admitted).toBeLessThanOrEqual(1_200);
  for (const address of ["2001:db8:7:cd01::1", "2001:db8:9::1", randomAddress()])
    expect((await schoolCall(company, "GET", "/locations", from(address))).status).toBe(200);
}, 180_000);
