import { describe, expect, test, vi } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { HUMAN } from "../../../support/outside.ts";
import { tally } from "../../money.ts";
import { refusal } from "../../refusal.ts";
import { daysAhead, everyDay, newInstructor, schoolCall } from "../../school.ts";
import { CARRIER, KEYS, openUsual, PHONE, TIMES_OF_A_LONG_DAY, tooMany } from "./page.ts";

vi.setConfig({ testTimeout: 120_000 });

const TAKEN = { status: 409, body: { code: "slot_unavailable" } };

describe("of thirty people behind one IPv4 address who race for one slot", () => {
  test("one books, and all others hear that it is taken; as does one more later", async () => {
    const { company, ask } = await openUsual();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(7, "10:15")));
    expect(tally(answers)).toEqual({ 201: 1, 409: 29 });
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toMatchObject(TAKEN);
    expect(await ask(7, "10:15")).toMatchObject(TAKEN);
    // A second stranger, at another time of the same day.
    expect((await ask(7, "11:30")).status).toBe(201);
    await expectSound(company);
  });

  test("it is the same where the puzzle is always asked for, without it or with a wrong one", async () => {
    const { ask } = await openUsual({ rules: { turnstile: { mode: "always", ...KEYS } } });
    expect((await ask(7, "10:15", { turnstile_token: HUMAN })).status).toBe(201);
    expect(await ask(7, "10:15")).toMatchObject(TAKEN);
    expect(await ask(7, "10:15", { turnstile_token: "a-machine" })).toMatchObject(TAKEN);
    expect(await ask(7, "12:45", { turnstile_token: "a-machine" })).toMatchObject(
      refusal(422, "captcha_failed", { site_key: KEYS.site_key }),
    );
    expect(await ask(7, "12:45")).toMatchObject({ status: 422, body: { code: "captcha_required" } });
  });

  test("and where the address holds all that it can", async () => {
    const { ask } = await openUsual();
    for (let day = 0; day < 10; day += 1) expect((await ask(7 + day, "10:15")).status).toBe(201);
    expect(await ask(7, "10:15")).toMatchObject(TAKEN);
    expect((await ask(17, "10:15")).status).toBe(429);
  });
});

describe("an address without solved puzzles", () => {
  test("holds three lessons of an instructor's usual day, and others may have the rest", async () => {
    const { company, school, ask } = await openUsual({ profile: { phone: PHONE } });
    for (const time of ["09:00", "10:15", "11:30"]) expect((await ask(7, time)).status).toBe(201);
    const fourth = await ask(7, "12:45");
    expect(fourth).toMatchObject(tooMany("day"));
    expect(fourth.body.message).toBe(
      `Many unpaid bookings of this day come from your network: choose another day or another instructor, try again later, or call the school: ${PHONE}`,
    );
    expect(Number(fourth.headers.get("Retry-After"))).toBeLessThanOrEqual(15 * 60);
    expect((await ask(8, "12:45")).status).toBe(201);
    const other = await newInstructor(company, { schedule: everyDay("09:00-17:00") });
    expect((await ask(7, "12:45", {}, CARRIER, { ...school, instructorId: other.id })).status).toBe(201);
    expect((await ask(7, "12:45", {}, "203.0.113.78")).status).toBe(201);
    await expectSound(company);
  });

  test("holds a quarter of a long day, and moves nothing to a day of which it holds that", async () => {
    const { company, ask, from } = await openUsual({ windows: ["00:00-23:00"], profile: { phone: PHONE } });
    for (const time of ["00:00", "01:15", "02:30", "03:45"]) expect((await ask(7, time)).status).toBe(201);
    expect(await ask(7, "05:00")).toMatchObject(tooMany("day"));
    const { id } = (await ask(8, "05:00")).body.booking;
    const moved = await schoolCall(company, "POST", `/bookings/${id}/reschedule`, {
      body: { booking_date: daysAhead(7), start_time: "05:00" },
      ...from(CARRIER),
    });
    expect(moved).toMatchObject(tooMany("day"));
    const taken = await schoolCall(company, "POST", `/bookings/${id}/reschedule`, {
      body: { booking_date: daysAhead(7), start_time: "03:45" },
      ...from(CARRIER),
    });
    expect(taken).toMatchObject(TAKEN);
  });

  test("of twelve strangers on twelve days ten hold, and has room again hold_minutes after they cancelled", async () => {
    const { company, ask, cancel } = await openUsual({ profile: { phone: PHONE } });
    const made: string[] = [];
    for (let day = 0; day < 10; day += 1) made.push((await ask(7 + day, "10:15")).body.booking.id);
    const eleventh = await ask(17, "10:15");
    expect(eleventh).toMatchObject(tooMany("address"));
    expect(eleventh.body.message).toBe(
      `Many unpaid bookings come from your network: try again later, or call the school: ${PHONE}`,
    );
    expect(await ask(18, "10:15")).toMatchObject(tooMany("address"));
    for (const id of made) expect((await cancel(id)).status).toBe(200);
    const still = await ask(17, "10:15");
    expect(still).toMatchObject(tooMany("address"));
    const wait = Number(still.headers.get("Retry-After"));
    expect(wait).toBeLessThanOrEqual(15 * 60);
    await company.clock(wait + 5);
    for (let day = 0; day < 10; day += 1) expect((await ask(7 + day, "10:15")).status).toBe(201);
    expect(await ask(17, "10:15")).toMatchObject(tooMany("address"));
    await expectSound(company);
  });
});

test("a solved puzzle raises each limit of the address for its own visitor: to half a day, and fifty at once", async () => {
  const { company, school, ask } = await openUsual({
    windows: ["00:00-23:00"],
    profile: { phone: PHONE },
    rules: { turnstile: { mode: "risky", ...KEYS } },
  });
  const solved = { turnstile_token: HUMAN };
  const times = TIMES_OF_A_LONG_DAY;
  // Four without it; then it is asked for, also where the share of the day would be what refuses.
  for (const time of times.slice(0, 4)) expect((await ask(7, time)).status).toBe(201);
  expect(await ask(7, times[4] ?? "")).toMatchObject({ status: 422, body: { code: "captcha_required" } });
  for (const time of times.slice(4, 9)) expect((await ask(7, time, solved)).status).toBe(201);
  expect(await ask(7, times[9] ?? "", solved)).toMatchObject(tooMany("day"));
  // Holds with a solved puzzle take nothing of the quarter of those without one.
  const others = await newInstructor(company, { schedule: everyDay("00:00-23:00") });
  const own = { ...school, instructorId: others.id };
  for (let place = 0; place < 41; place += 1)
    expect((await ask(8 + Math.floor(place / 9), times[place % 9] ?? "", solved, CARRIER, own)).status).toBe(
      201,
    );
  expect(await ask(20, "00:00", solved, CARRIER, own)).toMatchObject(tooMany("address"));
  await expectSound(company);
});
