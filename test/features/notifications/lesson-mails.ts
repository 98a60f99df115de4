import { expect } from "vitest";
import type { Received } from "../../../src/sandbox/message-providers/inbox.ts";
import { must } from "../../support/company.ts";
import { parseCalendar } from "../bookings/page/ics.ts";
import { newAddress, received } from "../messaging/provider.ts";
import { book, daysAhead, openSchool, type School, STUDENT } from "../school.ts";
import { onlyRules } from "./notified.ts";

export const WHEN = { booking_date: daysAhead(7), start_time: "10:00" };
export const EMAIL = { channels: { email: true } };
const TYPE = "text/calendar; charset=utf-8; method=PUBLISH";

export type Confirmed = { id: string; booking_number: string; manage_url: string };

export async function staff(school: School, path: string, body: object): Promise<Confirmed> {
  const answer = await school.company.call<Confirmed>("POST", `/settings/:company/bookings${path}`, { body });
  return must(answer, path === "" ? 201 : 200).body.data;
}

export function confirmed(school: School, email: string, fields: object = {}): Promise<Confirmed> {
  const { instructorId, courseId } = school;
  const customer = { ...STUDENT, email };
  const lesson = { instructor_id: instructorId, product_id: courseId, customer, status: "confirmed" };
  return staff(school, "", { ...lesson, ...WHEN, ...fields });
}

/** A school where these rules are on and no other. */
export async function schoolWith(rules: Record<string, object>, fields: object = {}): Promise<School> {
  const school = await openSchool({ ...fields });
  await onlyRules(school.company, rules);
  return school;
}

/** A lesson that a visitor with an address of their own asks for. */
export async function bookedBy(school: School, fields: object = {}) {
  const customer = { ...STUDENT, email: newAddress(), ...fields };
  const { body } = await book(school, { ...WHEN, customer });
  return { booking: body.booking, email: customer.email };
}

/** What is due to the customer of a lesson by a rule. */
export const dueOf = (rule: string, { id }: { id: string }) => ({
  ...{ rule, recipient: "customer", resource: "booking", record_id: id },
});

/** Gives the school's instructor an address of their own. */
export async function reachable(school: School): Promise<string> {
  const email = newAddress("teacher");
  const path = `/settings/:company/instructors/${school.instructorId}`;
  must(await school.company.call("PATCH", path, { body: { email } }), 200);
  return email;
}

/** The mails to an address, the oldest first, once there are so many. */
export async function mailsTo(address: string, count: number): Promise<Received[]> {
  await expect.poll(async () => (await received(address)).length).toBe(count);
  return (await received(address)).reverse();
}

export function textIn({ attachments }: Received): string {
  expect(attachments).toMatchObject([{ name: "lesson.ics", type: TYPE }]);
  return Buffer.from(attachments[0]?.content ?? "", "base64").toString();
}

/** The one event of the file that an e-mail carries. */
export function eventIn(mail: Received): Record<string, string> {
  const text = textIn(mail);
  expect(text).toContain("\r\nMETHOD:PUBLISH\r\n");
  const events = parseCalendar(text);
  expect(events).toHaveLength(1);
  return events[0] ?? {};
}
