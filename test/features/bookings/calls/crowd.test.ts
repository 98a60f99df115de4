import { expect, test } from "vitest";
import { play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { HUMAN } from "../../../support/outside.ts";
import { type BookingRecord, daysAhead } from "../../school.ts";
import { type BookingPage, openCollege, openPage } from "./page.ts";

const LEARNERS = 40;
const RETURN = { return_url: "https://book.example.com/thanks", cancel_url: "https://book.example.com/back" };
const COLLEGE = "203.0.113.5";

type Made = { id: string; order: string };

/** What the widget does from its first call to the booking; it waits where the API says so, by the school's clock. */
async function bookAsWidget(page: BookingPage, wish: object, clock: { at: number }): Promise<Made> {
  const wait = async (seconds: number) => {
    clock.at += seconds;
    await page.company.clock(clock.at);
  };
  const patiently = async <Answer extends { status: number; headers: Headers; body: object }>(
    call: () => Promise<Answer>,
  ): Promise<Answer> => {
    const answer = await call();
    if (!("code" in answer.body) || answer.body.code !== "rate_limited") return answer;
    await wait(Number(answer.headers.get("Retry-After")));
    return patiently(call);
  };
  const start = await patiently(() => page.read("/start?with_next=true", COLLEGE));
  const { visitor, turnstile_site_key: asks } = start.body;
  const { instructor_id: id } = wish as { instructor_id: number };
  const [from, to] = [daysAhead(1), daysAhead(10)];
  const dates = `/availability/dates?instructor_id=${id}&from=${from}&to=${to}&slots=true`;
  expect((await patiently(() => page.read(dates, COLLEGE))).status).toBe(200);
  const way = { address: COLLEGE, headers: { "Idempotency-Key": crypto.randomUUID() } };
  const customer = { name: "Learner", email: `${crypto.randomUUID()}@example.com` };
  const body = { ...wish, ...RETURN, customer, visitor };
  let made = await patiently(() => page.ask(0, body, way));
  if (made.body.code === "captcha_required" && asks !== null)
    made = await patiently(() => page.ask(0, { ...body, turnstile_token: HUMAN }, way));
  expect(made.body).toMatchObject({ booking: { status: "pending" } });
  const { booking, payment } = made.body;
  return { id: booking.id, order: String(payment.payment_data?.gateway_order_id) };
}

async function expectConfirmed(page: BookingPage, made: readonly Made[]): Promise<void> {
  const states = await Promise.all(
    made.map(async ({ id }) => {
      // By a key of the server: so many looks are none of the college's calls.
      const { body } = await page.company.call("GET", `/schools/:company/bookings/${id}`);
      return (body as unknown as { booking: BookingRecord }).booking.status;
    }),
  );
  expect(states).toEqual(Array(LEARNERS).fill("confirmed"));
}

test("forty learners behind one address who arrive within ten minutes and pay two minutes later all book", async () => {
  const page = await openCollege();
  const clock = { at: 0 };
  const made: Made[] = [];
  let paid = 0;
  for (let place = 0; place < LEARNERS + 8; place += 1) {
    clock.at = Math.max(clock.at, place * 15);
    await page.company.clock(clock.at);
    const due = made[place - 8];
    if (due !== undefined) {
      await play(page.company, "razorpay", due.order, "paid");
      paid += 1;
    }
    if (place < LEARNERS) made.push(await bookAsWidget(page, page.of(place), clock));
  }
  expect(clock.at).toBe((LEARNERS + 7) * 15);
  expect(paid).toBe(LEARNERS);
  await expectConfirmed(page, made);
  await expectSound(page.company);
}, 300_000);

test("within one minute they all book where Turnstile asks when it is risky", async () => {
  const page = await openCollege({ mode: "risky" });
  const clock = { at: 0 };
  const made: Made[] = [];
  for (let place = 0; place < LEARNERS; place += 1)
    made.push(await bookAsWidget(page, page.of(place), clock));
  expect(clock.at).toBeLessThan(300);
  for (const { order } of made) await play(page.company, "razorpay", order, "paid");
  await expectConfirmed(page, made);
  await expectSound(page.company);
}, 300_000);

test("a script with 200 addresses of one /64 never holds more than a quarter of an instructor's day", async () => {
  const { company, school, ask } = await openPage();
  const minutes = 23 * 60;
  let held = 0;
  const look = async () => {
    const { rows } = await company.database().execute({
      sql: `SELECT coalesce(sum(end_at - start_at), 0) / 60000 AS held FROM bookings
        WHERE instructor_id = ? AND booking_date = ? AND status <> 'expired'`,
      args: [school.instructorId, daysAhead(7)],
    });
    held = Math.max(held, Number(rows[0]?.held));
    expect(Number(rows[0]?.held)).toBeLessThanOrEqual(minutes / 4);
  };
  const squat = (host: number) => {
    const start_time = `${String(host % 23).padStart(2, "0")}:00`;
    const address = `2001:db8:7:9:${host.toString(16)}::${host}`;
    return ask(0, { start_time, booking_date: daysAhead(7) }, { address });
  };
  for (let first = 1; first <= 200; first += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, more) => squat(first + more)));
    for (const { status } of answers) expect([201, 409, 429]).toContain(status);
    await look();
  }
  expect(held).toBe(5 * 60);
  await expectSound(company);
}, 300_000);
