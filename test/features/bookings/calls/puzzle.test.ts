import { describe, expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { HUMAN, UNHEARD } from "../../../support/outside.ts";
import { book, daysAhead, newCourse } from "../../school.ts";
import { type BookingPage, KEYS, openPage } from "./page.ts";

const REQUIRED = {
  status: 422,
  body: {
    code: "captcha_required",
    site_key: KEYS.site_key,
    errors: [{ field: "turnstile_token", code: "required" }],
  },
};
const REFUSED = { status: 429, body: { code: "too_many_holds", retry_after: expect.any(Number) } };

const visitorOf = async (page: BookingPage) => String((await page.read("/start")).body.visitor);

describe("the puzzle", () => {
  test("where it is risky, is asked for from the fifth hold of an address on, before anything is refused", async () => {
    const { company, ask } = await openPage({ mode: "risky" });
    for (let hour = 0; hour < 4; hour += 1) expect((await ask(hour)).status).toBe(201);
    const key = { "Idempotency-Key": "one-learner" };
    const body = { customer: { name: "Learner", email: "fifth@example.com" } };
    expect(await ask(5, body, { headers: key })).toMatchObject(REQUIRED);
    const wrong = await ask(5, { ...body, turnstile_token: "a-machine" }, { headers: key });
    expect(wrong).toMatchObject({
      status: 422,
      body: { code: "captcha_failed", errors: [{ field: "turnstile_token" }] },
    });
    const solved = { ...body, turnstile_token: HUMAN };
    const made = await ask(5, solved, { headers: key });
    expect(made.status).toBe(201);
    const again = await ask(5, solved, { headers: key });
    expect(again.body.booking.id).toBe(made.body.booking.id);
    expect((await ask(6, {}, { address: "198.51.100.8" })).status).toBe(201);
    await expectSound(company);
  });

  test("asks each of many who come at once: no five pass together", async () => {
    const { company, ask } = await openPage({ mode: "risky" });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, hour) => ask(hour)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toMatchObject(REQUIRED);
    await expectSound(company);
  });

  test("in mode `always`, a publishable key cannot book without it, not even a free lesson", async () => {
    const { company, school, ask } = await openPage({ mode: "always" });
    const own = { ...school, courseId: await newCourse(company, { selling_price: 0 }) };
    expect(await ask(0)).toMatchObject(REQUIRED);
    expect(await ask(0, {}, { own })).toMatchObject(REQUIRED);
    expect((await ask(0, { turnstile_token: HUMAN }, { own })).status).toBe(201);
    expect((await book(school, { booking_date: daysAhead(9), start_time: "01:00" })).status).toBe(201);
  });

  test("where it is off is not asked for: an eleventh hold is refused", async () => {
    const { ask } = await openPage();
    for (let hour = 0; hour < 10; hour += 1)
      expect((await ask(hour, { turnstile_token: "whatever" })).status).toBe(201);
    expect(await ask(10)).toMatchObject({ status: 429, body: { code: "too_many_holds" } });
  });
});

describe("a visitor's token", () => {
  test("keeps one visitor to three holds, and no other behind the same address", async () => {
    const page = await openPage();
    const [mine, yours] = [await visitorOf(page), await visitorOf(page)];
    expect(mine).not.toBe(yours);
    for (const hour of [0, 5, 10]) expect((await page.ask(hour, { visitor: mine })).status).toBe(201);
    expect(await page.ask(15, { visitor: mine })).toMatchObject(REFUSED);
    expect((await page.ask(15, { visitor: yours })).status).toBe(201);
    // What lapsed counts for its own visitor alone.
    await page.company.clock(15 * 60 + 1);
    expect(await page.ask(16, { visitor: mine })).toMatchObject(REFUSED);
    expect((await page.ask(16, { visitor: yours })).status).toBe(201);
    await expectSound(page.company);
  });

  test("ends after two hours, and means nothing elsewhere, forged, or as other text", async () => {
    const page = await openPage();
    const other = await openPage();
    const mine = await visitorOf(page);
    const forged = `${mine.startsWith("A") ? "B" : "A"}${mine.slice(1)}`;
    const stored = async (token: string, hour: number, address?: string) => {
      const answer = await page.ask(hour, { visitor: token }, address === undefined ? {} : { address });
      expect(answer.status).toBe(201);
      const { rows } = await page.company.database().execute({
        sql: "SELECT visitor FROM bookings WHERE id = ?",
        args: [answer.body.booking.id],
      });
      return rows[0]?.visitor;
    };
    expect(await stored(mine, 0)).toMatch(/^[\w-]{14}$/);
    expect(await stored(mine, 1, "198.51.100.9")).toBeNull();
    for (const [place, token] of [forged, await visitorOf(other), "x", "é".repeat(43), ""].entries())
      expect(await stored(token, 2 + place)).toBeNull();
    await page.company.clock(7_190);
    expect(await stored(mine, 10)).not.toBeNull();
    await page.company.clock(7_201);
    expect(await stored(mine, 11)).toBeNull();
    const long = await page.ask(12, { visitor: "x".repeat(101) });
    expect(long).toMatchObject({ status: 422, body: { errors: [{ field: "visitor" }] } });
  });
});

test("when the puzzle cannot be checked, the plain limits apply", async () => {
  const { company, ask } = await openPage({ mode: "risky" });
  for (let hour = 0; hour < 10; hour += 1)
    expect((await ask(hour, { turnstile_token: HUMAN })).status).toBe(201);
  expect(await ask(10, { turnstile_token: UNHEARD })).toMatchObject(REFUSED);
  expect((await ask(10, { turnstile_token: HUMAN })).status).toBe(201);
  await expectSound(company);
});
