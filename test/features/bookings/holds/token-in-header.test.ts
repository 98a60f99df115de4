import { expect, test } from "vitest";
import { expectSound } from "../../../support/oracles.ts";
import { book, daysAhead, STUDENT } from "../../school.ts";
import { openUsual } from "./page.ts";

const OFFICE = "203.0.113.5";
const OWN = { status: 429, body: { code: "too_many_holds", limit: "own" } };

/** A school's page at one address, where bookings of one phone carry a token in the header, the body or not at all. */
async function openOffice() {
  const page = await openUsual();
  const ask = (day: number, header?: string, fields: object = {}) =>
    book(
      page.school,
      { customer: STUDENT, booking_date: daysAhead(day), start_time: "09:00", ...fields },
      page.from(OFFICE, header === undefined ? {} : { "X-Visitor": header }),
    );
  return { ...page, ask };
}

test.each(["header", "body"])(
  "with a token in the %s only what came with it counts, not what a stranger holds of her phone",
  async (place) => {
    const { company, ask, tokenFor } = await openOffice();
    for (const day of [7, 8, 9]) expect((await ask(day)).status).toBe(201);
    expect(await ask(10)).toMatchObject(OWN);
    const hers = await tokenFor(OFFICE);
    const askHers = (day: number) =>
      place === "header" ? ask(day, hers) : ask(day, undefined, { visitor: hers });
    for (const day of [10, 11, 12]) expect((await askHers(day)).status).toBe(201);
    expect(await askHers(13)).toMatchObject(OWN);
    await expectSound(company);
  },
);

test("the token in the body wins over that in the header, and one that does not hold counts as none", async () => {
  const { ask, tokenFor } = await openOffice();
  const [one, other] = [await tokenFor(OFFICE), await tokenFor(OFFICE)];
  for (const day of [7, 8, 9]) expect((await ask(day, other, { visitor: one })).status).toBe(201);
  expect(await ask(10, other, { visitor: one })).toMatchObject(OWN);
  expect((await ask(10, other)).status).toBe(201);
  for (const day of [11, 12, 13]) expect((await ask(day, "none")).status).toBe(201);
  expect(await ask(14, await tokenFor("198.51.100.66"))).toMatchObject(OWN);
});
