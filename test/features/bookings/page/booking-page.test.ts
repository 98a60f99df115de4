import { describe, expect, test } from "vitest";
import { addDays } from "#shared/time/dates.ts";
import { newBooking, newVisit, openSchool, readBooking, SYDNEY } from "../../school.ts";
import { dateOfEachTest } from "../own-date.ts";
import { submit, visit } from "./visitor.ts";

const AT = dateOfEachTest(4, 4);
const school = await openSchool(SYDNEY);

/** Moves the start of a booking to so many hours from now. */
const startIn = "UPDATE bookings SET end_at = end_at - start_at + ?1, start_at = ?1 WHERE id = ?2";
const hoursAhead = (hours: number) => Date.now() + hours * 3_600_000;

test("the page shows the lesson and no e-mail, phone or notes of its customer, and keeps no one's copy", async () => {
  const { path } = await newVisit(school, { ...AT, student_notes: "Nervous on roundabouts" });
  const { status, headers, text } = await visit(path);
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
  });
  expect(text).toContain('<html lang="en">');
  for (const shown of [
    "Hello Mia",
    "Driving lesson",
    "10:00 to 11:00 (Australia/Sydney)",
    "Priya Raman",
    "A$75.00",
  ])
    expect(text).toContain(shown);
  for (const hidden of ["mia@example.com", "0412", "Chen", "Nervous"]) expect(text).not.toContain(hidden);
  expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/b/page.js" defer="">']);
  const script = await visit("/b/page.js");
  expect(script.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
});

test("an unknown token, an unknown company and a malformed token are answered alike", async () => {
  const { path } = await newVisit(school, AT);
  const unknown = await visit(`/b/${school.company.slug}/${"x".repeat(43)}`);
  expect(unknown.status).toBe(404);
  for (const other of [
    `/b/no-such-school/${"x".repeat(43)}`,
    path.slice(0, -1),
    `/b/x/${"x".repeat(43)}/move`,
  ])
    expect(await visit(other)).toMatchObject({ status: 404, text: unknown.text });
  expect(await submit(`${path.slice(0, -1)}x/cancel`, { once: "1" })).toMatchObject({ status: 404 });
});

describe("cancel", () => {
  test("sent once or twice cancels the lesson once, by the actor `page`", async () => {
    const { path, booking } = await newVisit(school, AT);
    const form = { once: "abc", reason: "Unwell" };
    for (const _ of [1, 2])
      expect(await submit(`${path}/cancel`, form)).toMatchObject({
        status: 303,
        location: expect.stringMatching(`${path}$`),
      });
    expect(await readBooking(school.company, booking.id)).toMatchObject({ status: "cancelled" });
    const audit = "SELECT actor FROM audit_log WHERE action = 'cancelBooking' AND instr(record, ?) > 0";
    expect(await school.company.rows(audit, booking.id)).toEqual([{ actor: "page" }]);
    expect((await visit(path)).text).toContain("this lesson is cancelled");
  });

  test("too late is a sentence at its own status, and an unpaid pending lesson may be cancelled until it starts", async () => {
    const { path, booking } = await newVisit(school, AT);
    await school.company.rows(startIn, hoursAhead(2), booking.id);
    await school.company.rows("UPDATE bookings SET status = 'confirmed' WHERE id = ?", booking.id);
    const late = await submit(`${path}/cancel`, { once: "1" });
    expect(late.status).toBe(422);
    expect(late.text).toContain("It is too late to move or cancel this lesson here");
    expect(late.text).not.toContain("cancel_window_passed");
    await school.company.rows("UPDATE bookings SET status = 'pending' WHERE id = ?", booking.id);
    expect((await visit(path)).text).toContain("Cancel this lesson");
    expect(await submit(`${path}/cancel`, { once: "2" })).toMatchObject({ status: 303 });
    expect((await readBooking(school.company, booking.id)).status).toBe("cancelled");
  });

  test("of a lesson that has begun is 409 with a sentence", async () => {
    const { path, booking } = await newVisit(school, AT);
    await school.company.rows(startIn, hoursAhead(-1), booking.id);
    const { status, text } = await submit(`${path}/cancel`, { once: "1" });
    expect({ status, said: text.includes("can no longer be changed") }).toEqual({ status: 409, said: true });
  });
});

describe("move", () => {
  test("offers dates and times in a form without script, and moves once however often it is sent", async () => {
    const { path, booking } = await newVisit(school, AT);
    const date = addDays(AT.booking_date, 2);
    const { text } = await visit(`${path}/move?date=${date}`);
    expect(text).toContain(`name="booking_date" value="${date}"`);
    expect(text).toContain('type="radio" name="start_time" value="14:00"');
    const form = { once: "m", booking_date: date, start_time: "14:00" };
    for (const _ of [1, 2]) expect(await submit(`${path}/move`, form)).toMatchObject({ status: 303 });
    expect(await readBooking(school.company, booking.id)).toMatchObject({
      booking_date: date,
      start_time: "14:00",
    });
    expect(await school.company.rows("SELECT revision FROM bookings WHERE id = ?", booking.id)).toEqual([
      { revision: 1 },
    ]);
  });

  test("onto a time that was taken meanwhile is 409, and offers the others", async () => {
    const { path, booking } = await newVisit(school, AT);
    await newBooking(school, {
      ...AT,
      start_time: "14:00",
      customer: { name: "Ben", email: "ben@example.com" },
    });
    const taken = await submit(`${path}/move`, { ...AT, once: "m", start_time: "14:00" });
    expect(taken.status).toBe(409);
    expect(taken.text).toContain("This time has just been taken");
    expect(taken.text).toContain('name="start_time"');
    expect(taken.text).not.toContain('value="14:00"');
    expect(await readBooking(school.company, booking.id)).toMatchObject({ start_time: "10:00" });
    const other = { ...AT, once: "m", start_time: "12:00" };
    expect(await submit(`${path}/move`, other)).toMatchObject({ status: 303 });
  });

  test("without a time, or to one that is not offered, is 422 with a sentence", async () => {
    const { path } = await newVisit(school, AT);
    const none = await submit(`${path}/move`, { once: "1", booking_date: AT.booking_date });
    expect(none).toMatchObject({
      status: 422,
      text: expect.stringContaining("Please choose a date and a time"),
    });
    const night = await submit(`${path}/move`, { ...AT, once: "2", start_time: "03:00" });
    expect(night).toMatchObject({ status: 422, text: expect.stringContaining("not offered any more") });
  });
});
