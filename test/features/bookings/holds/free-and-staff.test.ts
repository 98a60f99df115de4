import { describe, expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { tally } from "../../money.ts";
import { newCourse, type School } from "../../school.ts";
import { CARRIER, openUsual, TIMES } from "./page.ts";

const REFUSED = { status: 429, body: { code: "too_many_holds" } };
const DAYS = [7, 8, 9, 10, 11];

async function freeSchool(ways: Parameters<typeof openUsual>[0] = {}) {
  const page = await openUsual(ways);
  const own: School = { ...page.school, courseId: await newCourse(page.company, { selling_price: 0 }) };
  return { ...page, own };
}

describe("what needs no online payment has the limits of all that is unpaid:", () => {
  test("of twenty free lessons at once no day is emptied, and ten are made", async () => {
    const { company, own, ask } = await freeSchool();
    const wanted = DAYS.flatMap((day) => TIMES.slice(0, 4).map((time) => ({ day, time })));
    const answers = await Promise.all(wanted.map(({ day, time }) => ask(day, time, {}, CARRIER, own)));
    expect(tally(answers)).toEqual({ 201: 10, 429: 10 });
    for (const day of DAYS) {
      const { length } = answers.filter(({ status }, place) => status === 201 && wanted[place]?.day === day);
      expect(length).toBeLessThanOrEqual(3);
    }
    await expectSound(company);
  });

  test("the day's share is held by free lessons as long as they are ahead, ten of a day are over the next", async () => {
    const { company, own, ask } = await freeSchool();
    for (const day of [7, 8, 9])
      for (const time of TIMES.slice(0, 3)) expect((await ask(day, time, {}, CARRIER, own)).status).toBe(201);
    expect((await ask(10, "09:00", {}, CARRIER, own)).status).toBe(201);
    const eleventh = await ask(11, "09:00", {}, CARRIER, own);
    expect(eleventh).toMatchObject({ ...REFUSED, body: { limit: "address" } });
    await company.clock(Number(eleventh.headers.get("Retry-After")) + 5);
    expect(await ask(7, "12:45", {}, CARRIER, own)).toMatchObject({ ...REFUSED, body: { limit: "day" } });
    expect((await ask(11, "09:00", {}, CARRIER, own)).status).toBe(201);
    expect((await ask(7, "12:45", {}, "203.0.113.99", own)).status).toBe(201);
  });

  test("of requests that wait for the school an address has ten at once, and three of a usual day", async () => {
    const { company, ask } = await openUsual({ online: false });
    for (const time of TIMES.slice(0, 3)) expect((await ask(7, time)).status).toBe(201);
    expect(await ask(7, "12:45")).toMatchObject({ ...REFUSED, body: { limit: "day" } });
    for (let day = 8; day < 15; day += 1) expect((await ask(day, "09:00")).status).toBe(201);
    const eleventh = await ask(15, "09:00");
    expect(eleventh).toMatchObject({ ...REFUSED, body: { limit: "address" } });
    expect(Number(eleventh.headers.get("Retry-After"))).toBeGreaterThan(47 * 3_600);
    await expectSound(company);
  });
});
