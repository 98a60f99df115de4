import { describe, expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { HUMAN, UNHEARD } from "../../../support/outside.ts";
import { refusal } from "../../refusal.ts";
import { book, daysAhead, newCourse, STUDENT } from "../../school.ts";
import { CARRIER, KEYS, openUsual } from "../holds/page.ts";

const REQUIRED = {
  status: 422,
  body: {
    code: "captcha_required",
    site_key: KEYS.site_key,
    errors: [{ field: "turnstile_token", code: "required" }],
  },
};
const REFUSED = { status: 429, body: { code: "too_many_holds", retry_after: expect.any(Number) } };

/** A school with its puzzle in a mode, and strangers who each ask for another day. */
async function openPage(mode?: string) {
  const page = await openUsual(mode === undefined ? {} : { rules: { turnstile: { mode, ...KEYS } } });
  const ask = (day: number, fields: object = {}, address = CARRIER, own = page.school) =>
    page.ask(7 + day, "09:00", fields, address, own);
  return { ...page, ask };
}

describe("the puzzle", () => {
  test("where it is risky, is asked for from the fifth hold of an address on, before anything is refused", async () => {
    const { company, school, ask, from } = await openPage("risky");
    for (let day = 0; day < 4; day += 1) expect((await ask(day)).status).toBe(201);
    const fifth = { booking_date: daysAhead(12), start_time: "09:00", customer: STUDENT };
    const again = (fields: object = {}) =>
      book(school, { ...fifth, ...fields }, from(CARRIER, { "Idempotency-Key": "one-learner" }));
    expect(await again()).toMatchObject(REQUIRED);
    const wrong = await again({ turnstile_token: "a-machine" });
    expect(wrong).toMatchObject(refusal(422, "captcha_failed", { errors: [{ field: "turnstile_token" }] }));
    const made = await again({ turnstile_token: HUMAN });
    expect(made.status).toBe(201);
    expect((await again({ turnstile_token: HUMAN })).body.booking.id).toBe(made.body.booking.id);
    expect((await ask(6, {}, "198.51.100.8")).status).toBe(201);
    await expectSound(company);
  });

  test("asks each of many who come at once: no five pass together", async () => {
    const { company, ask } = await openPage("risky");
    const answers = await Promise.all(Array.from({ length: 12 }, (_, hour) => ask(hour)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toMatchObject(REQUIRED);
    await expectSound(company);
  });

  test("in mode `always`, a publishable key cannot book without it, not even a free lesson", async () => {
    const { company, school, ask } = await openPage("always");
    const own = { ...school, courseId: await newCourse(company, { selling_price: 0 }) };
    expect(await ask(0)).toMatchObject(REQUIRED);
    expect(await ask(0, {}, CARRIER, own)).toMatchObject(REQUIRED);
    expect((await ask(0, { turnstile_token: HUMAN }, CARRIER, own)).status).toBe(201);
    expect((await book(school, { booking_date: daysAhead(9), start_time: "10:15" })).status).toBe(201);
  });
});

test("a visitor's token ends after two hours, and means nothing elsewhere, forged, or as other text", async () => {
  const page = await openPage();
  const other = await openPage();
  const mine = await page.tokenFor();
  const forged = `${mine.startsWith("A") ? "B" : "A"}${mine.slice(1)}`;
  const stored = async (token: string, hour: number, address?: string) => {
    const answer = await page.ask(hour, { visitor: token }, address);
    expect(answer.status).toBe(201);
    const { id } = answer.body.booking;
    return (await page.company.rows("SELECT visitor FROM bookings WHERE id = ?", id))[0]?.visitor;
  };
  expect(await stored(mine, 0)).toMatch(/^[\w-]{14}$/);
  expect(await stored(mine, 1, "198.51.100.9")).toBeNull();
  for (const [place, token] of [forged, await other.tokenFor(), "x", "é".repeat(43), ""].entries())
    expect(await stored(token, 2 + place)).toBeNull();
  await page.company.clock(7_190);
  expect(await stored(mine, 10)).not.toBeNull();
  await page.company.clock(7_201);
  expect(await stored(mine, 11)).toBeNull();
  const long = await page.ask(12, { visitor: "x".repeat(101) });
  expect(long).toMatchObject({ status: 422, body: { errors: [{ field: "visitor" }] } });
});

test("when the puzzle cannot be checked, the plain limits apply", async () => {
  const { company, ask } = await openPage("risky");
  for (let hour = 0; hour < 10; hour += 1)
    expect((await ask(hour, { turnstile_token: HUMAN })).status).toBe(201);
  expect(await ask(10, { turnstile_token: UNHEARD })).toMatchObject(REFUSED);
  expect((await ask(10, { turnstile_token: HUMAN })).status).toBe(201);
  await expectSound(company);
});
