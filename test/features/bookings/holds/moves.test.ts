import { expect, test } from "vitest";
import { daysAhead, schoolCall } from "../../school.ts";
import { submit, visit } from "../page/visitor.ts";
import { CARRIER, openUsual } from "./page.ts";

async function openMoving(ways: Parameters<typeof openUsual>[0] = { online: false }) {
  const page = await openUsual(ways);
  const { company } = page;
  const { booking } = (await page.ask(7, "09:00")).body;
  const move = (day: number, call: object = page.from(CARRIER)) =>
    schoolCall(company, "POST", `/bookings/${booking.id}/reschedule`, {
      body: { booking_date: daysAhead(day), start_time: "09:00" },
      ...call,
    });
  return { ...page, booking, move };
}

test("a visitor moves an unpaid booking three times, by a key or by its page; staff as often as they like", async () => {
  const { company, booking, move } = await openMoving();
  const page = `${new URL(booking.manage_url ?? "").pathname}/move`;
  const to = (day: number) => ({ once: `${day}`, booking_date: daysAhead(day), start_time: "09:00" });
  for (const day of [8, 9]) expect((await move(day)).status).toBe(200);
  expect((await submit(page, to(10))).status).toBe(303);
  expect(await move(11)).toMatchObject({
    ...{ status: 429, body: { code: "too_many_moves" } },
    text: expect.stringMatching(/pay for it or confirm it by its e-mail, then move it, or ask the school/),
  });
  expect((await submit(page, to(11))).text).toContain("moved three times already");
  const staff = `/settings/:company/bookings/${booking.id}/reschedule`;
  for (const day of [12, 13, 14, 15]) {
    const body = { booking_date: daysAhead(day), start_time: "09:00" };
    expect((await company.call("POST", staff, { body })).status).toBe(200);
  }
  expect((await move(16)).status).toBe(429);
  await company.rows("UPDATE bookings SET payment_status = 'paid'");
  for (const day of [16, 17]) expect((await move(day)).status).toBe(200);
});

test("the page that refuses a fourth move has the button that pays, and no dates", async () => {
  const { booking, move } = await openMoving({ online: true });
  for (const day of [8, 9, 10]) expect((await move(day)).status).toBe(200);
  const page = `${new URL(booking.manage_url ?? "").pathname}/move`;
  const { status, text } = await submit(page, {
    once: "1",
    booking_date: daysAhead(11),
    start_time: "09:00",
  });
  expect(status).toBe(429);
  expect(text).toContain("pay for it or confirm it by the link in our e-mail");
  expect(text).toContain("Pay now");
  expect(text).not.toContain('name="start_time"');
});

test("the page offers the times beside the lesson's own, as the API does, and not the one that it has", async () => {
  const { booking, move } = await openMoving({ online: false, rules: { slot_step_minutes: 30 } });
  const page = `${new URL(booking.manage_url ?? "").pathname}/move`;
  const { text } = await visit(`${page}?date=${daysAhead(7)}`);
  for (const time of ["09:30", "10:00"]) expect(text).toContain(`name="start_time" value="${time}"`);
  expect(text).not.toContain('value="09:00"');
  const beside = { once: "1", booking_date: daysAhead(7), start_time: "09:30" };
  expect((await submit(page, beside)).status).toBe(303);
  expect((await move(7)).status).toBe(200);
});

test("of moves at one moment three succeed: the batch counts", async () => {
  const { move } = await openMoving();
  const answers = await Promise.all([8, 9, 10, 11, 12, 13].map((day) => move(day)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429, 429]);
});
