import { expect, test } from "vitest";
import { play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { book, daysAhead, STUDENT } from "../../school.ts";
import { orderOf, PAGES } from "../bookings/gateway-school.ts";
import { openUsual, PHONE, tooMany } from "./page.ts";

const OWN = tooMany("own");
const HOME = "203.0.113.5";

test("a visitor holds three unpaid lessons, is asked to pay one, and books on once one is paid", async () => {
  const { company, ask, tokenFor } = await openUsual({ profile: { phone: PHONE } });
  const visitor = await tokenFor(HOME);
  const first = await ask(7, "09:00", { visitor, ...PAGES }, HOME);
  for (const day of [8, 9]) expect((await ask(day, "09:00", { visitor }, HOME)).status).toBe(201);
  const refused = await ask(10, "09:00", { visitor }, HOME);
  expect(refused).toMatchObject(OWN);
  expect(refused.body.message).toBe(
    `Pay for a booking that you hold, come back another day, or call the school: ${PHONE}`,
  );
  await play(company, "razorpay", orderOf(first), "paid");
  expect((await ask(10, "09:00", { visitor }, HOME)).status).toBe(201);
  await expectSound(company);
});

test("to cancel one of three gives no room that day, and the refusal does not advise it", async () => {
  const { ask, tokenFor, cancel } = await openUsual({ profile: { phone: PHONE } });
  const visitor = await tokenFor(HOME);
  const first = await ask(7, "09:00", { visitor }, HOME);
  for (const day of [8, 9]) expect((await ask(day, "09:00", { visitor }, HOME)).status).toBe(201);
  expect((await cancel(first.body.booking.id, HOME)).status).toBe(200);
  const refused = await ask(10, "09:00", { visitor }, HOME);
  expect(refused).toMatchObject(OWN);
  expect(refused.body.message).not.toMatch(/cancel/i);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(86_400 - 3_600);
});

test("what a visitor gave up counts for that visitor, and no one else behind the address", async () => {
  const { company, ask, tokenFor, cancel } = await openUsual({ profile: { phone: PHONE } });
  const visitor = await tokenFor(HOME);
  for (const day of [7, 8]) {
    const made = await ask(day, "09:00", { visitor }, HOME);
    expect((await cancel(made.body.booking.id, HOME)).status).toBe(200);
  }
  // The third lapses.
  expect((await ask(9, "09:00", { visitor }, HOME)).status).toBe(201);
  await company.clock(15 * 60 + 1);
  const refused = await ask(10, "09:00", { visitor }, HOME);
  expect(refused).toMatchObject(OWN);
  expect(refused.body.message).toBe(
    `You have given up several bookings within a day: try again later, or call the school: ${PHONE}`,
  );
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(86_400 - 3_600);
  expect((await ask(10, "09:00", {}, HOME)).status).toBe(201);
});

test("a stranger who knows a person's phone number and e-mail address cannot lock them out with holds", async () => {
  const { company, ask, tokenFor } = await openUsual();
  for (const day of [7, 8, 9])
    expect((await ask(day, "09:00", { customer: STUDENT }, "198.51.100.66")).status).toBe(201);
  const visitor = await tokenFor("198.51.100.66");
  expect((await ask(10, "09:00", { customer: STUDENT, visitor }, "198.51.100.66")).status).toBe(201);
  const hers = await tokenFor(HOME);
  for (const day of [11, 12, 13])
    expect((await ask(day, "09:00", { customer: STUDENT, visitor: hers }, HOME)).status).toBe(201);
  expect((await ask(14, "09:00", { customer: STUDENT }, "198.51.100.9")).status).toBe(201);
  await expectSound(company);
});

test("without a token a customer holds three of one address, by e-mail address or phone", async () => {
  const { ask } = await openUsual({ profile: { phone: PHONE } });
  for (const day of [7, 8, 9]) expect((await ask(day, "09:00", { customer: STUDENT })).status).toBe(201);
  for (const customer of [STUDENT, { name: "M", email: STUDENT.email }, { name: "M", phone: STUDENT.phone }])
    expect(await ask(10, "09:00", { customer })).toMatchObject(OWN);
  expect((await ask(10, "09:00")).status).toBe(201);
});

test("many tokens take a bot no further than its address: ten at once, three of a day", async () => {
  const { ask, tokenFor } = await openUsual();
  const tokens = await Promise.all(Array.from({ length: 12 }, () => tokenFor()));
  const times = ["09:00", "10:15", "11:30", "12:45"];
  const ofDay = [];
  for (const [place, time] of times.entries())
    ofDay.push((await ask(7, time, { visitor: tokens[place] })).status);
  expect(ofDay).toEqual([201, 201, 201, 429]);
  const more = [];
  for (let place = 3; place < 12; place += 1)
    more.push((await ask(8 + place, "09:00", { visitor: tokens[place] })).status);
  expect(more.filter((status) => status === 201)).toHaveLength(7);
});

/** A school's page at one address, where bookings of one phone carry a token in the header, the body or not at all. */
async function openOffice() {
  const page = await openUsual({ profile: { phone: PHONE } });
  const ask = (day: number, header?: string, fields: object = {}) =>
    book(
      page.school,
      { customer: STUDENT, booking_date: daysAhead(day), start_time: "09:00", ...fields },
      page.from(HOME, header === undefined ? {} : { "X-Visitor": header }),
    );
  return { ...page, ask };
}

test.each(["header", "body"])(
  "with a token in the %s only what came with it counts, not what a stranger holds of her phone",
  async (place) => {
    const { company, ask, tokenFor } = await openOffice();
    for (const day of [7, 8, 9]) expect((await ask(day)).status).toBe(201);
    expect(await ask(10)).toMatchObject(OWN);
    const hers = await tokenFor(HOME);
    const askHers = (day: number) =>
      place === "header" ? ask(day, hers) : ask(day, undefined, { visitor: hers });
    for (const day of [10, 11, 12]) expect((await askHers(day)).status).toBe(201);
    expect(await askHers(13)).toMatchObject(OWN);
    await expectSound(company);
  },
);

test("the token in the body wins over that in the header, and one that does not hold counts as none", async () => {
  const { ask, tokenFor } = await openOffice();
  const [one, other] = [await tokenFor(HOME), await tokenFor(HOME)];
  for (const day of [7, 8, 9]) expect((await ask(day, other, { visitor: one })).status).toBe(201);
  expect(await ask(10, other, { visitor: one })).toMatchObject(OWN);
  expect((await ask(10, other)).status).toBe(201);
  for (const day of [11, 12, 13]) expect((await ask(day, "none")).status).toBe(201);
  expect(await ask(14, await tokenFor("198.51.100.66"))).toMatchObject(OWN);
});
