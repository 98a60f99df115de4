import { expect, test } from "vitest";
import { daysAhead, schoolCall } from "../../school.ts";
import { submit } from "../page/visitor.ts";
import { CARRIER, openUsual } from "./page.ts";

async function openMoving() {
  const page = await openUsual({ online: false });
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
  expect(await move(11)).toMatchObject({ status: 429, body: { code: "too_many_moves" } });
  expect((await submit(page, to(11))).text).toContain("moved three times already");
  const staff = `/settings/:company/bookings/${booking.id}/reschedule`;
  for (const day of [12, 13, 14, 15]) {
    const body = { booking_date: daysAhead(day), start_time: "09:00" };
    expect((await company.call("POST", staff, { body })).status).toBe(200);
  }
  expect((await move(16)).status).toBe(429);
  await company.database().execute("UPDATE bookings SET payment_status = 'paid'");
  for (const day of [16, 17]) expect((await move(day)).status).toBe(200);
});

test("of moves at one moment three succeed: the batch counts", async () => {
  const { move } = await openMoving();
  const answers = await Promise.all([8, 9, 10, 11, 12, 13].map((day) => move(day)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429, 429]);
});
