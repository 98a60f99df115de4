import { expect, test } from "vitest";
import { expectEventHistory } from "../support/event-history.ts";
import { expectSound } from "../support/oracles.ts";
import { SEED } from "./draw.ts";
import { losses } from "./faults.ts";
import { expectOnce } from "./judge.ts";
import { BUFFER_MINUTES, LESSONS, Lessons } from "./lessons.ts";
import { runs } from "./world.ts";

// A run takes four times as long as one of the books.
const RUNS = Math.ceil(Number(process.env.MODEL_RUNS ?? 24) / 4);

// Of two bookings that are sure, or held by the same clock, one has been put where the other was.
const TOO_CLOSE = `SELECT one.id, other.id AS other FROM bookings one JOIN bookings other
  ON other.instructor_id = one.instructor_id AND other.id > one.id
    AND other.start_at < one.end_at + ${BUFFER_MINUTES * 60_000} AND other.end_at + ${BUFFER_MINUTES * 60_000} > one.start_at
  WHERE one.status IN ('confirmed', 'pending') AND other.status IN ('confirmed', 'pending')
    AND coalesce(one.hold_expires_at, 9e15) > max(one.checked_at, other.checked_at)
    AND coalesce(other.hold_expires_at, 9e15) > max(one.checked_at, other.checked_at)`;
// On a day of a clock change too, an hour's lesson takes an hour, and begins when its local time says.
const WRONG_LENGTH = `SELECT id FROM bookings WHERE end_at - start_at <> 3600000
  OR (substr(end_time, 1, 2) + 24 - substr(start_time, 1, 2)) % 24 <> 1`;

test(`whatever students, schools and gateways do at the same time, no lesson is booked twice (seed ${SEED})`, {
  timeout: 60_000 + RUNS * 3_000,
}, async () => {
  await runs(RUNS, async (seed) => {
    const world = await Lessons.open(seed);
    await world.company.faults(...losses(seed));
    // A hold that ran out is no booking, also where another took its slot since.
    const judge = async () => expect(await world.rows(TOO_CLOSE)).toEqual([]);
    await world.inRounds(LESSONS, world.draw().from(5, 12), 3, judge);
    await world.company.faults();
    expect(await world.rows(WRONG_LENGTH)).toEqual([]);
    await expectOnce(world);
    await expectSound(world.company);
    await expectEventHistory(world.company);
  });
});
