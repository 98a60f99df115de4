import { expect, inject, test, vi } from "vitest";
import { Database } from "#core/database/database.ts";
import { ulid } from "#shared/text/ulid.ts";
import { mailedCalendar } from "../../../src/features/bookings/feeds/mailed-calendar.ts";
import {
  type Attach,
  dispatchRecipient,
} from "../../../src/features/messaging/dispatch/dispatch-recipient.ts";
import type { TestCompany } from "../../support/company.ts";
import { arrived, newAddress, received } from "../messaging/provider.ts";
import { everyDay, newCourse, newInstructor, openSchool } from "../school.ts";
import { confirmed, dueOf, EMAIL, eventIn } from "./lesson-mails.ts";
import { dueAt, onlyRules, runJob, withLead } from "./notified.ts";

const LATER = Date.parse("2037-06-03T05:00Z");

/** Hands a recipient to the stand-ins, beside the service and at an instant that its own clock never sees. */
function dispatch(company: TestCompany, recipient: number, now = LATER, attach: Attach = mailedCalendar) {
  const { messagesUrl } = inject("service");
  return runJob(company, {
    now,
    job: (ctx) => {
      const services = { ...ctx.services, addressOf: (kind: string) => `${messagesUrl}/providers/${kind}` };
      return dispatchRecipient({ ...ctx, call: { ...ctx.call, id: ulid(now) }, services }, recipient, attach);
    },
  });
}

/** The recipient of a notification's message that is stored, and not sent yet. */
async function waiting(company: TestCompany, fields: object): Promise<number> {
  await dueAt(company, LATER, fields);
  await runJob(company, { now: LATER, country: "AU" });
  const [row] = await company.rows("SELECT id FROM message_recipients ORDER BY id DESC");
  return Number(row?.id);
}

test("making it takes one more request of the database, and what carries none takes none", async () => {
  const company = await withLead();
  const school = { company, instructorId: 0, courseId: await newCourse(company) };
  school.instructorId = (await newInstructor(company, { schedule: everyDay("09:00-17:00") })).id;
  const booking = await confirmed(school, newAddress());
  await onlyRules(company, { booking_confirmed: EMAIL, lead_received: EMAIL });
  const requests = async (fields: object) => {
    const recipient = await waiting(company, fields);
    const read = vi.spyOn(Database.prototype, "read");
    const write = vi.spyOn(Database.prototype, "write");
    await dispatch(company, recipient);
    const made = [read.mock.calls.length, write.mock.calls.length];
    read.mockRestore();
    write.mockRestore();
    return made;
  };
  expect(await requests({})).toEqual([0, 3]);
  expect(await requests(dueOf("booking_confirmed", booking))).toEqual([1, 3]);
});

test("if it cannot be made no provider is asked, and the e-mail goes with it at the next attempt", async () => {
  const school = await openSchool();
  const { company } = school;
  await onlyRules(company, {});
  const email = newAddress();
  const booking = await confirmed(school, email);
  await onlyRules(company, { booking_confirmed: EMAIL });
  const recipient = await waiting(company, dueOf("booking_confirmed", booking));
  const away = async () => Promise.reject(new Error("away"));
  await expect(dispatch(company, recipient, LATER, away)).rejects.toThrow("away");
  const [row] = await company.rows("SELECT dispatch_state AS state, attempts FROM message_recipients");
  expect(row).toMatchObject({ state: "pending", attempts: 0 });
  expect(await received(email)).toEqual([]);
  await dispatch(company, recipient, LATER + 61_000);
  expect(eventIn(await arrived(email))).toMatchObject({ STATUS: "CONFIRMED" });
});
