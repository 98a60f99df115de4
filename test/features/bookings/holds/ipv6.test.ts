import { describe, expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { tally } from "../../money.ts";
import { everyDay, newInstructor } from "../../school.ts";
import { openUsual, TIMES, TIMES_OF_A_LONG_DAY } from "./page.ts";

/** Asks again where a machine that is busy with something else had no answer. */
async function patiently<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask();
  return answer.status >= 500 ? patiently(ask) : answer;
}

/** An address of the n-th /64 of a household's /56; `home` is the /56's own byte. */
const at = (lan: number, home = "ab") =>
  `2001:db8:7:${home}${lan.toString(16).padStart(2, "0")}::${(lan + 1).toString(16)}`;

describe("a household of 64 addresses, each of a /64 of its own in one /56,", () => {
  test("never takes more than half of an instructor's day, nor its whole /48 three quarters", async () => {
    const { company, ask } = await openUsual({ windows: ["00:00-23:00"] });
    const answers = [];
    for (let lan = 0; lan < 64; lan += 1)
      answers.push(await ask(7, TIMES_OF_A_LONG_DAY[lan % 18] ?? "", {}, at(lan)));
    // Nine of 75 minutes, with half of 23 hours.
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
    const others = [];
    for (let lan = 0; lan < 18; lan += 1)
      others.push(await ask(7, TIMES_OF_A_LONG_DAY[lan] ?? "", {}, at(lan, "cd")));
    expect(others.filter(({ status }) => status === 201)).toHaveLength(4);
    expect((await ask(7, TIMES_OF_A_LONG_DAY[17] ?? "", {}, "2001:db8:8::1")).status).toBe(201);
    await expectSound(company);
  }, 300_000);

  test("holds a hundred lessons at once, where each /64 may ten", async () => {
    const { company, school, ask } = await openUsual();
    const ids = [school.instructorId];
    while (ids.length < 6) ids.push((await newInstructor(company, { schedule: everyDay("09:00-17:00") })).id);
    await company.raiseLimit();
    let made = 0;
    for (let lan = 0; lan < 20; lan += 1) {
      const own = { ...school, instructorId: ids[lan % 6] ?? 0 };
      const day = 7 + Math.floor(lan / 6);
      const answers = [];
      for (const [place, time] of TIMES.entries())
        answers.push(await patiently(() => ask(day + place * 4, time, {}, at(lan), own)));
      const { 201: more = 0, 429: none = 0 } = tally(answers);
      expect(more + none).toBe(6);
      made += more;
    }
    expect(made).toBe(100);
    expect((await ask(60, "09:00", {}, at(1, "cd"))).status).toBe(201);
  }, 300_000);
});

test("a script with 200 addresses of one /64 never holds more than a quarter of an instructor's day", async () => {
  const rules = { buffer_minutes: 0, slot_step_minutes: 60 };
  const { company, school, ask } = await openUsual({ windows: ["00:00-23:00"], rules });
  const quarter = (23 * 60) / 4;
  const hours = "SELECT sum(end_at - start_at) / 60000 AS held FROM bookings WHERE instructor_id = ?";
  let held = 0;
  for (let first = 1; first <= 200; first += 20) {
    const squat = (host: number) =>
      ask(7, `${String(host % 23).padStart(2, "0")}:00`, {}, `2001:db8:7:9:${host.toString(16)}::${host}`);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, more) => squat(first + more)));
    for (const { status } of answers) expect([201, 409, 429]).toContain(status);
    held = Number((await company.rows(hours, school.instructorId))[0]?.held);
    expect(held).toBeLessThanOrEqual(quarter);
  }
  expect(held).toBe(5 * 60);
  await expectSound(company);
}, 300_000);
