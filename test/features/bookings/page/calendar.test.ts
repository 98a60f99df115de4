import { beforeEach, describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { refusal } from "../../refusal.ts";
import {
  everyDay,
  newBooking,
  newInstructor,
  newVisit,
  openSchool,
  type School,
  SYDNEY,
} from "../../school.ts";
import { dateOfEachTest } from "../own-date.ts";
import { parseCalendar as parse } from "./ics.ts";
import { submit, visit } from "./visitor.ts";

const FEEDS = "/settings/:company/calendar-feeds";
const DEVANAGARI = "न".repeat(200);
type Feed = { id: string; url: string };

// Each test has an instructor of its own too in the school that they share.
let school: School;
const AT = dateOfEachTest(7);
const shared = await openSchool({ ...SYDNEY, name: "Coast, Sun; Sea\\Sand" });
beforeEach(async () => {
  const { id } = await newInstructor(shared.company, { schedule: everyDay("09:00-17:00") });
  school = { ...shared, instructorId: id };
});

/** A feed of the test's own instructor, unless `fields` say something else. */
async function newFeed({ company, instructorId }: School, fields: object = {}): Promise<Feed> {
  const body = { name: "All lessons", detail: "full", instructor_id: instructorId, ...fields };
  return must(await company.call<Feed>("POST", FEEDS, { body }), 201).body.data;
}

const pathOf = ({ url }: Feed) => new URL(url).pathname;

// The first test, as the feed has the lessons of all.
test("a full feed has names and phones, busy only that there is a lesson, and each only its instructor's", async () => {
  const other = await newInstructor(school.company, { name: "Sam" });
  const { booking } = await newVisit(school, AT);
  const [full, busy, none] = await Promise.all([
    newFeed(school, { instructor_id: null }),
    newFeed(school, { detail: "busy" }),
    newFeed(school, { instructor_id: other.id }),
  ]);
  const all = await visit(pathOf(full));
  expect(parse(all.text)).toEqual([
    expect.objectContaining({
      SUMMARY: "Mia Chen (Driving lesson)",
      DESCRIPTION: "Priya Raman\n0412 345 678",
    }),
  ]);
  const bare = await visit(pathOf(busy));
  expect(parse(bare.text)).toEqual([expect.objectContaining({ SUMMARY: "Lesson" })]);
  for (const hidden of ["Mia", "0412", booking.id, "Priya"]) expect(bare.text).not.toContain(hidden);
  expect(all.text).not.toContain(booking.id);
  expect(parse((await visit(pathOf(none))).text)).toEqual([]);
  expect(bare.text).toContain("REFRESH-INTERVAL;VALUE=DURATION:PT15M\r\nX-PUBLISHED-TTL:PT15M\r\n");
});

test("booking.ics over a booking's life: the UID stays, SEQUENCE rises with each change", async () => {
  const { path, booking } = await newVisit(school, AT);
  const file = await visit(`${path}/booking.ics`);
  expect(file.headers.get("Content-Type")).toBe("text/calendar; charset=utf-8");
  const [first] = parse(file.text);
  expect(first).toMatchObject({
    UID: expect.stringMatching(`^${booking.id}@`),
    SEQUENCE: "0",
    STATUS: "TENTATIVE",
    SUMMARY: "Driving lesson (Coast, Sun; Sea\\Sand)",
    URL: expect.stringMatching(`${path}$`),
    DTSTART: expect.stringMatching(/^\d{8}T\d{6}Z$/),
  });
  await submit(`${path}/move`, { ...AT, once: "1", start_time: "14:00" });
  const [moved] = parse((await visit(`${path}/booking.ics`)).text);
  expect(moved).toMatchObject({ UID: first?.UID, SEQUENCE: "1", STATUS: "TENTATIVE" });
  expect(moved?.DTSTART).not.toBe(first?.DTSTART);
  await submit(`${path}/cancel`, { once: "1" });
  const [cancelled] = parse((await visit(`${path}/booking.ics`)).text);
  expect(cancelled).toMatchObject({ UID: first?.UID, SEQUENCE: "2", STATUS: "CANCELLED" });
});

test("a line of 200 Devanagari characters folds without breaking one", async () => {
  await newBooking(school, { ...AT, customer: { name: DEVANAGARI, email: "n@example.com" } });
  const [event] = parse((await visit(pathOf(await newFeed(school)))).text);
  expect(event?.SUMMARY).toBe(`${DEVANAGARI} (Driving lesson)`);
});

test("a lesson with a pickup address is there on its page and in every calendar, as in its mails", async () => {
  const { path } = await newVisit(school, { ...AT, pickup_address: "12 High St, Chatswood" });
  for (const address of [`${path}/booking.ics`, pathOf(await newFeed(school))])
    expect(parse((await visit(address)).text)).toMatchObject([{ LOCATION: "12 High St, Chatswood" }]);
  expect((await visit(path)).text).toContain("12 High St, Chatswood");
  const busy = await visit(pathOf(await newFeed(school, { detail: "busy" })));
  expect(busy.text).not.toContain("Chatswood");
});

describe("a feed", () => {
  test("answers 304 to who has it, and a cancelled lesson as cancelled", async () => {
    const { path } = await newVisit(school, AT);
    const feed = pathOf(await newFeed(school));
    const first = await visit(feed);
    expect(first.headers.get("Cache-Control")).toBe("private, max-age=300");
    const known = { "If-None-Match": first.headers.get("ETag") ?? "" };
    expect(await visit(feed, known)).toMatchObject({ status: 304, text: "" });
    await submit(`${path}/cancel`, { once: "1" });
    const then = await visit(feed, known);
    expect(then.status).toBe(200);
    expect(parse(then.text)).toEqual([expect.objectContaining({ STATUS: "CANCELLED", SEQUENCE: "1" })]);
  });

  test("rotated, its old address answers as an unknown one; removed, the new one too", async () => {
    const feed = await newFeed(school);
    const path = `${FEEDS}/${feed.id}`;
    const rotated = must(await school.company.call<Feed>("POST", `${path}/rotate`), 200).body.data;
    expect(rotated.url).not.toBe(feed.url);
    const unknown = await visit(`/cal/${school.company.slug}/${"x".repeat(43)}.ics`);
    expect(unknown.status).toBe(404);
    expect(await visit(pathOf(feed))).toMatchObject({ status: 404, text: unknown.text });
    expect((await visit(pathOf(rotated))).status).toBe(200);
    const listed = must(await school.company.call<Feed[]>("GET", FEEDS), 200);
    expect(listed.body.data.map(({ id }) => id)).toContain(feed.id);
    for (const one of listed.body.data) expect(one).not.toHaveProperty("url");
    must(await school.company.call("DELETE", path), 200);
    expect((await visit(pathOf(rotated))).status).toBe(404);
  });

  test("of an instructor who is not there is refused, and so is the 21st", async () => {
    const school = await openSchool(SYDNEY);
    const body = { name: "X", detail: "full", instructor_id: 9_999 };
    expect(await school.company.call("POST", FEEDS, { body })).toMatchObject(
      refusal(422, "invalid_instructor", { errors: [{ field: "instructor_id" }] }),
    );
    for (let made = 0; made < 20; made++) await newFeed(school);
    expect(
      await school.company.call("POST", FEEDS, { body: { ...body, instructor_id: null } }),
    ).toMatchObject(refusal(409, "limit_reached", { limit: 20 }));
  });
});
