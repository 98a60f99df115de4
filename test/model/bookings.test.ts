import * as fc from "fast-check";
import { expect, test } from "vitest";
import { newCustomer, rowsOf } from "../features/commerce.ts";
import { everyDay, newInstructor, newPackage, openSchool, SYDNEY, setRules } from "../features/school.ts";
import { expectEventHistory } from "../support/event-history.ts";
import { connectGateway } from "../support/gateways.ts";
import { expectSound } from "../support/oracles.ts";
import { DOCUMENTED, INSTRUCTORS, type Plan, plan, run, STARTS, World } from "./booking-commands.ts";

// 20 in `npm test`, 500 in `npm run soak`: a run takes four times as long as one of the books.
const RUNS = Math.ceil(Number(process.env.MODEL_RUNS ?? 24) / 4);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
const CONCURRENCY = 5;
const FAULTS = 0.03;
const BUFFER = 15;

test(`whatever students, schools and gateways do at the same time, no lesson is booked twice (seed ${SEED})`, {
  timeout: 60_000 + RUNS * 3_000,
}, async () => {
  const lanes = Array.from({ length: CONCURRENCY }, (_, lane) =>
    fc.assert(
      fc.asyncProperty(plan, (given) => keepsTheCalendarSound(given, STARTS[lane % STARTS.length] ?? "")),
      { numRuns: Math.ceil(RUNS / CONCURRENCY), seed: SEED + lane, endOnFailure: true },
    ),
  );
  await Promise.all(lanes);
});

async function keepsTheCalendarSound({ steps, faultSeed }: Plan, start: string): Promise<void> {
  const world = await openWorld(start);
  const { company } = world;
  await company.faults(
    { kind: "reset_before", probability: FAULTS, seed: faultSeed, writes_only: true },
    { kind: "reset_after", probability: FAULTS, seed: faultSeed + 1, writes_only: true },
  );
  for (const commands of steps) {
    const answers = await Promise.all(commands.map((command) => run(world, command)));
    for (const [index, answer] of answers.entries()) {
      const kind = commands[index]?.kind ?? "wait";
      if (answer !== undefined) expect(DOCUMENTED[kind], `${kind} answered ${answer}`).toContain(answer);
    }
    // A hold that ran out is no booking, also where another took its slot since.
    expect(await rowsOf(company, TOO_CLOSE)).toEqual([]);
  }
  await company.faults();
  expect(await rowsOf(company, WRONG_LENGTH)).toEqual([]);
  await expectSound(company);
  await expectEventHistory(company);
}

// Of two bookings that are sure, or held by the same clock, one has been put where the other was.
const TOO_CLOSE = `SELECT one.id, other.id AS other FROM bookings one JOIN bookings other
  ON other.instructor_id = one.instructor_id AND other.id > one.id
    AND other.start_at < one.end_at + ${BUFFER * 60_000} AND other.end_at + ${BUFFER * 60_000} > one.start_at
  WHERE one.status IN ('confirmed', 'pending') AND other.status IN ('confirmed', 'pending')
    AND coalesce(one.hold_expires_at, 9e15) > max(one.checked_at, other.checked_at)
    AND coalesce(other.hold_expires_at, 9e15) > max(one.checked_at, other.checked_at)`;
// On a day of a clock change too, an hour's lesson takes an hour, and begins when its local time says.
const WRONG_LENGTH = `SELECT id FROM bookings WHERE end_at - start_at <> 3600000
  OR (substr(end_time, 1, 2) + 24 - substr(start_time, 1, 2)) % 24 <> 1`;

async function openWorld(start: string): Promise<World> {
  const school = await openSchool(SYDNEY, { windows: ["00:00-07:00"] });
  const { company, instructorId, courseId } = school;
  await company.raiseLimit();
  await setRules(company, { buffer_minutes: BUFFER, cancel_window_hours: 12, slot_step_minutes: 60 });
  const more = await Promise.all(
    Array.from({ length: INSTRUCTORS - 1 }, () =>
      newInstructor(company, { schedule: everyDay("00:00-07:00") }),
    ),
  );
  await connectGateway(company, "stripe", { currencies: ["AUD"] });
  const student = { name: "Mia Chen", email: "mia@example.com", phone: "0412345678" };
  const { id: customerId } = await newCustomer(company, { ...student, state: "NSW", pincode: "2135" });
  const { id: packageId } = await newPackage(school, { customer_id: customerId, sessions_total: 3 });
  const world = new World(
    {
      company,
      instructors: [instructorId, ...more.map(({ id }) => id)],
      courseId,
      packageId,
      runHourlyJobs: () => company.startSweep(),
    },
    start,
  );
  await world.setClock();
  return world;
}
