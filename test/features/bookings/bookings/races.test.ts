import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import type { TestCompany } from "../../../support/company.ts";
import type { ServiceAddress } from "../../../support/http.ts";
import { expectSound } from "../../../support/oracles.ts";
import { addressOf, startService } from "../../../support/service.ts";
import { newCustomer } from "../../commerce.ts";
import { tally, times } from "../../money.ts";
import { book, daysAhead, newPackage, openSchool, type School, STUDENT, setRules } from "../../school.ts";

// 2 rounds of 50 in `npm test`, 10 of 100 in `npm run soak`.
const RACERS = Number(process.env.RACERS ?? 50);
const ROUNDS = Number(process.env.ROUNDS ?? 2);
const LIMIT = { timeout: 30_000 + ROUNDS * RACERS * 100 };
const STEP = 5;
const LENGTH = 60;
const BUFFER = 15;

/** A school that offers a start every five minutes of the day, and may be called as often as it takes. */
async function openForRaces(service?: ServiceAddress): Promise<School> {
  const school = await openSchool({}, { windows: ["00:00-23:59"], ...(service && { service }) });
  await school.company.raiseLimit();
  await setRules(school.company, { slot_step_minutes: STEP, buffer_minutes: BUFFER });
  return school;
}

/** A start within six hours of the day, so that most want what others want. */
function anyStart(): number {
  return 480 + STEP * Math.floor((Math.random() * 360) / STEP);
}

/** The pairs of live bookings of one instructor that have less than the buffer between them. */
function overlaps(company: TestCompany): Promise<Record<string, unknown>[]> {
  return company.rows(`SELECT one.start_time, other.start_time AS other FROM bookings one JOIN bookings other
      ON other.instructor_id = one.instructor_id AND other.id > one.id
        AND other.start_at < one.end_at + ${BUFFER * 60_000} AND other.end_at + ${BUFFER * 60_000} > one.start_at
      WHERE one.status NOT IN ('cancelled', 'expired') AND other.status NOT IN ('cancelled', 'expired')`);
}

/** Lets so many ask for random starts of one instructor-day at once, and checks that as many win as can. */
async function race(school: School, day: number): Promise<void> {
  const booking_date = daysAhead(day);
  const starts = Array.from({ length: RACERS }, anyStart);
  const answers = await Promise.all(
    starts.map((minute) => book(school, { booking_date, start_time: clockTimeToWire(minute) })),
  );
  const counts = tally(answers);
  expect(Object.keys(counts).sort()).toEqual(["201", "409"]);
  const winners = starts.filter((_, index) => answers[index]?.status === 201);
  for (const [index, { status, body }] of answers.entries()) {
    if (status === 201) continue;
    expect(body).toMatchObject({ success: false, code: "slot_unavailable" });
    const start = starts[index] ?? 0;
    const inTheWay = winners.filter((other) => Math.abs(other - start) < LENGTH + BUFFER);
    expect(inTheWay.length, `${clockTimeToWire(start)} was refused, but free`).toBeGreaterThan(0);
  }
  expect(await overlaps(school.company)).toEqual([]);
}

test(
  "bookings of one instructor and day at once do not overlap, and each with a free time is accepted",
  LIMIT,
  async () => {
    const school = await openForRaces();
    for (let round = 0; round < ROUNDS; round += 1) await race(school, 7 + round);
    await expectSound(school.company);
  },
);

describe("where the object that orders them fails", () => {
  let service: ServiceAddress;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const own = await startService(inject("service").bundle, ["SLOT_PACER"]);
    service = addressOf(own);
    stop = own.stop;
  });
  afterAll(() => stop());

  test("do not overlap either", LIMIT, async () => {
    const school = await openForRaces(service);
    for (let round = 0; round < ROUNDS; round += 1) await race(school, 7 + round);
    await expectSound(school.company);
  });
});

test("of 40 who want a lesson of a package of 5 at once, each at another time, five get one", async () => {
  const school = await openForRaces();
  const { company, instructorId } = school;
  const { id: customerId } = await newCustomer(company, STUDENT);
  const { id } = await newPackage(school, { customer_id: customerId });
  const answers = await times(40, (index) =>
    book(school, { booking_date: daysAhead(7 + index), start_time: "10:00", booking_package_id: id }),
  );
  expect(tally(answers)).toEqual({ 201: 5, 422: 35 });
  for (const { status, body } of answers) {
    if (status === 201) expect(body.booking).toMatchObject({ status: "confirmed", payment_status: "paid" });
    else expect(body.code).toBe("package_exhausted");
  }
  const used = await company.rows("SELECT sessions_used FROM booking_packages WHERE id = ?", id);
  expect(used).toEqual([{ sessions_used: 5 }]);
  const bookings = "SELECT count(*) AS made FROM bookings WHERE instructor_id = ?";
  expect(await company.rows(bookings, instructorId)).toEqual([{ made: 5 }]);
  await expectSound(company);
});
