import { describe, expect, test } from "vitest";
import { connectGateway, play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { book, daysAhead, openSchool, type School, STUDENT, schoolCall, setRules } from "../../school.ts";

const ORIGIN = "https://book.example.com";
const PAGES = { return_url: `${ORIGIN}/thanks`, cancel_url: `${ORIGIN}/back` };
const DATE = daysAhead(7);
const HOLD_SECONDS = 15 * 60;
const REFUSED = { status: 429, body: { code: "too_many_holds", retry_after: expect.any(Number) } };

/** A school of 23 hours a day without a gap between lessons, and a page's visitors by their addresses. */
async function openPage({ online = true } = {}) {
  const school = await openSchool({}, { windows: ["00:00-23:00"] });
  const { company } = school;
  await setRules(company, { buffer_minutes: 0 });
  if (online) await connectGateway(company, "razorpay");
  const key = await company.publishableKey(ORIGIN);
  let visitors = 0;
  const from = (address: string) => ({ key, headers: { Origin: ORIGIN, "CF-Connecting-IP": address } });
  const ask = (hour: number, address: string, fields: object = {}, own: School = school) => {
    visitors += 1;
    const customer = { name: "Visitor", email: `visitor${visitors}@example.com` };
    const start_time = `${String(hour).padStart(2, "0")}:00`;
    return book(own, { booking_date: DATE, start_time, customer, ...fields }, from(address));
  };
  return { school, company, ask, from };
}

const seconds = (answer: Awaited<ReturnType<typeof book>>) => Number(answer.headers.get("Retry-After"));

test("a customer without a token keeps at most three bookings of one address unpaid", async () => {
  const { company, ask } = await openPage({ online: false });
  for (const hour of [1, 2, 3]) expect((await ask(hour, "10.0.0.4", { customer: STUDENT })).status).toBe(201);
  for (const customer of [
    STUDENT,
    { name: "M", email: STUDENT.email },
    { name: "M", phone: STUDENT.phone },
  ]) {
    const refused = await ask(4, "10.0.0.4", { customer });
    expect(refused).toMatchObject(REFUSED);
    expect(seconds(refused)).toBeGreaterThan(47 * 3_600);
  }
  expect((await ask(4, "10.0.0.5", { customer: STUDENT })).status).toBe(201);
  await expectSound(company);
});

describe("holds of one address", () => {
  test("end with the payment: others at the address can go on booking", async () => {
    const { company, ask } = await openPage();
    for (let hour = 0; hour < 13; hour += 1) {
      const answer = await ask(hour, "198.51.100.7", PAGES);
      expect(answer.status).toBe(201);
      const order = String(answer.body.payment.payment_data?.gateway_order_id);
      await play(company, "razorpay", order, "paid");
    }
    await expectSound(company);
  });

  test("are ten at most for a /64, ended unpaid or not, and a quarter of an instructor's day", async () => {
    const { company, school, ask, from } = await openPage();
    let host = 0;
    const squat = (hour: number, fields: object = {}) => {
      host += 1;
      return ask(hour, `2001:db8:7:9:${host.toString(16)}::${host}`, fields);
    };
    for (let hour = 0; hour < 5; hour += 1) expect((await squat(hour)).status).toBe(201);
    const full = await squat(5);
    expect(full).toMatchObject(REFUSED);
    expect(seconds(full)).toBeLessThanOrEqual(HOLD_SECONDS);
    expect((await ask(5, "2001:db8:7:a::1")).status).toBe(201);

    const next = { booking_date: daysAhead(8) };
    const moved = (await squat(1, next)).body.booking;
    const back = await schoolCall(company, "POST", `/bookings/${moved.id}/reschedule`, {
      body: { booking_date: DATE, start_time: "08:00" },
      ...from("2001:db8:7:9::1"),
    });
    expect(back).toMatchObject({ status: 429, body: { code: "too_many_holds" } });
    for (const hour of [2, 3, 4, 5]) expect((await squat(hour, next)).status).toBe(201);
    const third = { booking_date: daysAhead(9) };
    expect(await squat(1, third)).toMatchObject(REFUSED);

    expect((await schoolCall(company, "POST", `/bookings/${moved.id}/cancel`, { body: {} })).status).toBe(
      200,
    );
    expect(await squat(1, third)).toMatchObject(REFUSED);
    // The one that was cancelled counts no more; those that lapsed do, for as long again.
    await company.clock(HOLD_SECONDS + 1);
    expect((await squat(1, third)).status).toBe(201);
    const ended = await squat(2, third);
    expect(ended).toMatchObject(REFUSED);
    expect(seconds(ended)).toBeLessThanOrEqual(HOLD_SECONDS);
    expect((await book(school, { booking_date: daysAhead(9), start_time: "03:00" })).status).toBe(201);
    await company.clock(2 * HOLD_SECONDS + 60);
    expect((await squat(2, third)).status).toBe(201);
    await expectSound(company);
  });

  test("are three lessons of a day that is shorter than twelve", async () => {
    const school = await openSchool({}, { windows: ["09:00-14:00"] });
    await setRules(school.company, { buffer_minutes: 0 });
    await connectGateway(school.company, "razorpay");
    const key = await school.company.publishableKey(ORIGIN);
    const call = { key, headers: { Origin: ORIGIN, "CF-Connecting-IP": "198.51.100.8" } };
    const ask = (start_time: string, email: string) =>
      book(school, { booking_date: DATE, start_time, customer: { name: "V", email } }, call);
    for (const hour of ["09", "10", "11"])
      expect((await ask(`${hour}:00`, `at-${hour}@example.com`)).status).toBe(201);
    expect(await ask("12:00", "late@example.com")).toMatchObject(REFUSED);
  });
});

describe("/pay", () => {
  test("renews a hold once: after that it can be paid while it lasts, and no longer", async () => {
    const { school, company } = await openPage();
    const { body } = await book(school, { booking_date: DATE, start_time: "10:00" });
    const { id } = body.booking;
    const pay = () => schoolCall(company, "POST", `/bookings/${id}/pay`, { body: PAGES });
    const holdEnds = async () => {
      const answer = await schoolCall<typeof body>(company, "GET", `/bookings/${id}`);
      return Date.parse(answer.body.booking.hold_expires_at ?? "");
    };
    const first = await holdEnds();
    await company.clock(600);
    expect((await pay()).status).toBe(200);
    const second = await holdEnds();
    expect(second - first).toBeGreaterThan(590_000);
    await company.clock(1_200);
    expect((await pay()).status).toBe(200);
    expect(await holdEnds()).toBe(second);
    await company.clock(600 + HOLD_SECONDS + 1);
    expect(await pay()).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    expect((await book(school, { booking_date: DATE, start_time: "10:00" })).status).toBe(201);
    await expectSound(company);
  });
});

test("limits of calls count an IPv6 visitor by its /64", async () => {
  const { company, from } = await openPage({ online: false });
  const remaining = async (address: string) => {
    const answer = await schoolCall(company, "GET", "/settings", from(address));
    return Number(answer.headers.get("X-RateLimit-Remaining"));
  };
  const first = await remaining("2001:db8:1:2::1");
  expect(await remaining("2001:db8:1:2:ffff::2")).toBe(first - 1);
  expect(await remaining("2001:db8:1:3::1")).toBe(first);
});
