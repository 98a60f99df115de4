import { describe, expect, test } from "vitest";
import type { Received } from "../../../src/sandbox/message-providers/inbox.ts";
import { must } from "../../support/company.ts";
import { parseCalendar } from "../bookings/page/ics.ts";
import { visit } from "../bookings/page/visitor.ts";
import { erase, found } from "../erasures/person.ts";
import { arrived, connect, newAddress } from "../messaging/provider.ts";
import { refusal } from "../refusal.ts";
import { newInstructor, openSchool, STUDENT } from "../school.ts";
import {
  type Confirmed,
  confirmed,
  EMAIL,
  eventIn,
  mailsTo,
  reachable,
  schoolWith,
  staff,
  textIn,
  WHEN,
} from "./lesson-mails.ts";
import { onlyRules } from "./notified.ts";

async function ofPage({ manage_url }: Confirmed): Promise<Record<string, string>> {
  const { text } = await visit(`${new URL(manage_url).pathname}/booking.ics`);
  const { DTSTAMP: _, ...event } = parseCalendar(text)[0] ?? {};
  return event;
}

describe("a lesson's e-mails carry its calendar file", () => {
  test.each(["the platform's mailer", "resend", "postmark", "http-mail"] as const)(
    "by %s, the one of the booking's page",
    async (kind) => {
      const school = await openSchool();
      if (kind !== "the platform's mailer") await connect(school.company, kind);
      const email = newAddress();
      const booking = await confirmed(school, email);
      const mail = await arrived(email);
      expect(mail.html).toContain(`${booking.manage_url}/booking.ics`);
      const { DTSTAMP, ...event } = eventIn(mail);
      expect(event).toEqual(await ofPage(booking));
      expect(event).toMatchObject({ UID: expect.stringMatching(`^${booking.id}@`), STATUS: "CONFIRMED" });
      // As of the message, so that a repeated attempt sends the same bytes.
      const [row] = await school.company.rows("SELECT created_at FROM messages");
      const stamp = new Date(Number(row?.created_at)).toISOString().replace(/[-:]|\.\d+/g, "");
      expect(DTSTAMP).toBe(stamp);
    },
  );

  test("without the links in the typed place, as its reader may be another person", async () => {
    const school = await openSchool();
    const email = newAddress();
    await confirmed(school, email, { pickup_address: "12 George St EVIL．COM/win" });
    expect(eventIn(await arrived(email))).toMatchObject({ LOCATION: "12 George St" });
  });

  test("with one UID over its life, and a higher SEQUENCE after each change", async () => {
    const school = await openSchool();
    const email = newAddress();
    const booking = await confirmed(school, email);
    const [first] = await mailsTo(email, 1);
    await staff(school, `/${booking.id}/reschedule`, { ...WHEN, start_time: "14:00" });
    const [, moved] = await mailsTo(email, 2);
    await staff(school, `/${booking.id}/cancel`, {});
    const [, , cancelled] = await mailsTo(email, 3);
    const events = [first, moved, cancelled].map((mail) => eventIn(mail as Received));
    expect(new Set(events.map(({ UID }) => UID)).size).toBe(1);
    expect(events.map(({ SEQUENCE, STATUS }) => [SEQUENCE, STATUS])).toEqual([
      ["0", "CONFIRMED"],
      ["1", "CONFIRMED"],
      ["2", "CANCELLED"],
    ]);
    expect(events[1]?.DTSTART).not.toBe(events[0]?.DTSTART);
  });

  test("an instructor's as the school's feeds have it, without what opens the customer's page", async () => {
    const school = await openSchool();
    const { company } = school;
    const teacher = await reachable(school);
    const booking = await confirmed(school, newAddress());
    const [mail] = await mailsTo(teacher, 1);
    const text = textIn(mail as Received);
    const event = eventIn(mail as Received);
    const body = { name: "All", detail: "full" };
    const path = "/settings/:company/calendar-feeds";
    const feed = must(await company.call<{ url: string }>("POST", path, { body }), 201).body.data;
    const [shown] = parseCalendar((await visit(new URL(feed.url).pathname)).text);
    expect(event).toMatchObject({ UID: shown?.UID, SEQUENCE: "0", SUMMARY: "Mia Chen (Driving lesson)" });
    for (const secret of [booking.id, new URL(booking.manage_url).pathname, STUDENT.phone])
      expect(text).not.toContain(secret);
  });

  test("cancelled for the instructor whom it moved away from, confirmed for the other", async () => {
    const school = await openSchool();
    const old = await reachable(school);
    const fresh = newAddress("fresh");
    const path = `/settings/:company/instructors/${school.instructorId}`;
    const { schedule } = await school.company.read<{ schedule: object[] }>(path);
    const other = await newInstructor(school.company, { name: "Anil", email: fresh, schedule });
    const booking = await confirmed(school, newAddress());
    await mailsTo(old, 1);
    await staff(school, `/${booking.id}/reschedule`, { ...WHEN, instructor_id: other.id });
    const [first, gone] = await mailsTo(old, 2);
    const [come] = await mailsTo(fresh, 1);
    const events = [first, gone, come].map((mail) => eventIn(mail as Received));
    expect(events.map(({ SEQUENCE, STATUS }) => [SEQUENCE, STATUS])).toEqual([
      ["0", "CONFIRMED"],
      ["1", "CANCELLED"],
      ["1", "CONFIRMED"],
    ]);
    expect(new Set(events.map(({ UID }) => UID)).size).toBe(1);
  });

  test("and so does one that is sent again, as the lesson is by then", async () => {
    const school = await openSchool();
    const email = newAddress();
    const booking = await confirmed(school, email);
    await mailsTo(email, 1);
    await onlyRules(school.company, {});
    await staff(school, `/${booking.id}/reschedule`, { ...WHEN, start_time: "14:00" });
    const [message] = await school.company.rows("SELECT id FROM messages");
    const path = `/messaging/:company/messages/${message?.id}/resend`;
    await expect.poll(async () => (await school.company.call("POST", path)).status).toBe(202);
    const [, again] = await mailsTo(email, 2);
    expect(eventIn(again as Received)).toMatchObject(await ofPage(booking));
    expect(eventIn(again as Received)).toMatchObject({ SEQUENCE: "1" });
  });
});

test("nothing else carries one: no other rule's e-mail, and no test of a text", async () => {
  const school = await schoolWith({ booking_requested: EMAIL }, { email: newAddress("office") });
  const [email, tried] = [newAddress(), newAddress()];
  const { instructorId: instructor_id, courseId: product_id } = school;
  const lesson = { instructor_id, product_id, customer: { ...STUDENT, email }, ...WHEN };
  must(await school.company.call("POST", "/schools/:company/bookings", { body: lesson }), 201);
  const path = "/settings/:company/notification-templates/booking_confirmed/email/en/test";
  must(await school.company.call("POST", path, { body: { to: tried } }), 202);
  for (const mail of [await arrived(email), await arrived(tried)]) expect(mail.attachments).toEqual([]);
});

test("of a person who was erased nothing of it is left, and nothing is sent again", async () => {
  const school = await openSchool();
  const email = newAddress();
  const booking = await confirmed(school, email);
  await mailsTo(email, 1);
  const names = ["messages.content", "messages.details"];
  const held = async () => (await found(school.company, booking.id)).filter((cell) => names.includes(cell));
  expect(await held()).toEqual(["messages.content"]);
  const [message] = await school.company.rows("SELECT id FROM messages");
  await erase(school.company, { email });
  expect(await held()).toEqual([]);
  const path = `/messaging/:company/messages/${message?.id}/resend`;
  expect(await school.company.call("POST", path)).toMatchObject(refusal(409, "invalid_status"));
});
