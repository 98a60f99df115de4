import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { accepted, connect, newNumber, sendSms } from "../../features/messaging/provider.ts";
import { newBooking, openSchool } from "../../features/school.ts";
import { must, openCompany, requestCounts, type TestCompany } from "../../support/company.ts";
import { ownService } from "../../support/own-service.ts";

// By hand: CLOCK_COMPANIES=1000 CLOCK_BUSY=50.
const ROUNDS = Number(process.env.CLOCK_ROUNDS ?? 1);
const COMPANIES = Number(process.env.CLOCK_COMPANIES ?? 6);
const BUSY = Number(process.env.CLOCK_BUSY ?? 2);

const PROMISE_MS = 90_000;
const MINUTE_MS = 60_000;
const PATIENT = { timeout: 60_000, interval: 100 };

const service = await ownService();
const { address } = service;
const school = await openSchool({}, { service: address });
const companies: TestCompany[] = [];
for (let opened = 0; opened < COMPANIES; opened += 1) companies.push(await openCompany({}, address));
for (const company of companies.slice(0, BUSY)) await connect(company, "http-sms");

/** What the provider has sent to a number; one reference of ours counts once, should the kill have met a run that asks. */
async function sentTo(to: string): Promise<number> {
  const response = await fetch(`${service.messagesUrl}/messages?to=${to}`);
  return ((await response.json()) as { data: unknown[] }).data.length;
}

/** Accepts a message of each, and gives their numbers. */
function acceptFrom(senders: TestCompany[]): Promise<string[]> {
  return Promise.all(
    senders.map(async (company) => {
      const to = newNumber();
      accepted(await sendSms(company, { to }));
      return to;
    }),
  );
}

const statusOf = async (id: string) =>
  (await school.company.rows("SELECT status FROM bookings WHERE id = ?", id))[0]?.status;

const requestsOf = async (some: TestCompany[]) => {
  const [requests, looks] = await Promise.all([requestCounts(address), requestCounts(address, "looks")]);
  return some.map(({ namespace }) => (requests[namespace] ?? 0) + (looks[namespace] ?? 0));
};

test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
  "the Worker is killed right after its commits (round %i): each message goes out within 90 s, once, a hold is marked within 60 s of its minute, and no other company is asked",
  { timeout: 4 * PROMISE_MS },
  async () => {
    const [first] = companies;
    const idle = companies.slice(BUSY);
    if (first === undefined) throw new Error("There is a company");
    // A look that finds nothing, five seconds before the kill: its scheduled alarm must hold for what follows.
    const [early] = await acceptFrom([first]);
    await expect.poll(() => sentTo(String(early)), PATIENT).toBe(1);
    const [before] = await requestsOf([first]);
    await first.clock(0);
    await expect.poll(async () => (await requestsOf([first]))[0], PATIENT).toBeGreaterThan(before ?? 0);
    await sleep(5_000);

    const untouched = await requestsOf(idle);
    const { id } = await newBooking(school, { booking_date: dateOfRound(), start_time: "10:00" });
    const holdEnds = Date.now() + 75_000;
    const sql = "UPDATE bookings SET hold_expires_at = ? WHERE id = ?";
    await school.company.database().execute({ sql, args: [holdEnds, id] });
    // Their providers are left alone for a while, so that the jobs wait in the queue that dies with the Worker.
    const rest = "UPDATE messaging_providers SET rests_until = ?";
    for (const company of companies.slice(0, BUSY))
      await company.database().execute({ sql: rest, args: [Date.now() + 10_000] });
    const numbers = await acceptFrom(companies.slice(0, BUSY));
    const committed = Date.now();
    await service.crash();
    expect(await Promise.all(numbers.map(sentTo))).toEqual(numbers.map(() => 0));

    const missing = async () =>
      (await Promise.all(numbers.map(sentTo))).filter((count) => count === 0).length;
    await expect.poll(missing, { timeout: PROMISE_MS, interval: 500 }).toBe(0);
    expect(Date.now() - committed).toBeLessThan(PROMISE_MS);
    const left = Math.max(1, holdEnds + MINUTE_MS - Date.now());
    await expect.poll(() => statusOf(id), { timeout: left, interval: 500 }).toBe("expired");
    expect(Date.now()).toBeGreaterThanOrEqual(holdEnds);
    expect(await Promise.all(numbers.map(sentTo))).toEqual(numbers.map(() => 1));
    expect(await requestsOf(idle)).toEqual(untouched);
  },
);

test("a company's clock that is set forward makes its hold expire at once", async () => {
  const { id } = await newBooking(school, { booking_date: dateOfRound(), start_time: "10:00" });
  expect(await statusOf(id)).toBe("pending");
  await school.company.clock(3 * 86_400);
  await expect.poll(() => statusOf(id), PATIENT).toBe("expired");
  await school.company.clock(0);
});

test("a company that is active again is asked at once what waits", async () => {
  const [company] = companies;
  if (company === undefined) throw new Error("There is a company");
  const [to] = await acceptFrom([company]);
  await expect.poll(() => sentTo(String(to)), PATIENT).toBe(1);
  must(await company.patch({ status: "suspended" }), 200);
  await company.database().execute({
    sql: `UPDATE message_recipients SET dispatch_state = 'pending', provider_message_id = NULL, lease = NULL, leased_until = ?
      WHERE address = ?`,
    args: [Date.now() - 2 * MINUTE_MS, String(to)],
  });
  must(await company.patch({ status: "active" }), 200);
  const sql = "SELECT dispatch_state AS state, requeues FROM message_recipients WHERE address = ?";
  // None where the queue's own next attempt came first.
  await expect
    .poll(() => company.rows(sql, String(to)), PATIENT)
    .toEqual([{ state: "dispatched", requeues: expect.toBeOneOf([0, 1]) }]);
});

let days = 3;

/** A day on which nothing is booked yet. */
function dateOfRound(): string {
  days += 1;
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
