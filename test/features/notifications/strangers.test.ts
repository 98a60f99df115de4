import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { connect, newAddress, received } from "../messaging/provider.ts";
import { book, daysAhead, openSchool, SYDNEY } from "../school.ts";
import {
  dueAt,
  linesOf,
  logOf,
  onlyRules,
  runJob,
  setNotifications,
  settledLines,
  withLead,
} from "./notified.ts";

const ORIGIN = "https://book.example.com";
const HOUR = 3_600_000;
const LATER = Date.parse("2037-06-03T05:00Z");
const CUSTOMER = { channels: { email: true, sms: true }, audience: ["customer"] };

test("an unproven contact gets one message of a booking on each channel, and others once it is paid", async () => {
  const school = await openSchool(SYDNEY);
  const { company } = school;
  const key = await company.publishableKey(ORIGIN);
  const visitor = { key, headers: { Origin: ORIGIN, "CF-Connecting-IP": "203.0.113.77" } };
  await connect(company, "http-sms");
  await setNotifications(company, { quiet_hours: null });
  await onlyRules(company, { booking_requested: CUSTOMER, booking_moved: CUSTOMER });
  const email = newAddress("victim");
  const customer = { name: "Victim", email, phone: "0412 345 678" };
  const at = { booking_date: daysAhead(7), start_time: "10:00" };
  const { booking } = (await book(school, { ...at, customer }, visitor)).body;
  await settledLines(company);
  const move = async (path: string, day: number, call: object = {}) => {
    const body = { booking_date: daysAhead(day), start_time: "10:00" };
    must(await company.call("POST", `${path}/bookings/${booking.id}/reschedule`, { body, ...call }), 200);
    return (await settledLines(company)).slice(-2);
  };
  expect(await move("/schools/:company", 8, visitor)).toEqual([
    "booking_moved email customer skipped unproven",
    "booking_moved sms customer skipped unproven",
  ]);
  const sent = ["booking_moved email customer sent", "booking_moved sms customer sent"];
  expect(await move("/settings/:company", 9)).toEqual(sent);
  await company.rows("UPDATE bookings SET payment_status = 'paid'");
  expect(await move("/schools/:company", 10, visitor)).toEqual(sent);
  await expect.poll(async () => (await received(email)).length).toBe(3);
});

/** So many acknowledgements of a lead, each by an event, due at an instant. */
async function acknowledge(company: TestCompany, many: number): Promise<void> {
  await onlyRules(company, { lead_acknowledged: { channels: { email: true } } });
  const { lastInsertRowid: sequence } = await company.database().execute(`INSERT INTO events
    (type, resource, record_id, at, request_id, shape, is_notified) VALUES ('lead.captured', 'lead', '1', ${LATER}, 'req', 1, 1)`);
  const fields = { rule: "lead_acknowledged", recipient: "lead", sequence: Number(sequence) };
  for (let n = 0; n < many; n += 1) await dueAt(company, LATER, { ...fields, occasion: `${n}` });
}

const statesOf = async (company: TestCompany) => (await logOf(company)).map(({ state }) => state).toSorted();

test("a receiver gets five messages an hour of what strangers cause, however its address is written, and the others later", async () => {
  const company = await withLead();
  await company.rows("UPDATE leads SET email = 'M.I.A@googlemail.com'");
  await acknowledge(company, 3);
  await runJob(company, { now: LATER });
  await company.rows("UPDATE leads SET email = 'mia+x@gmail.com'");
  for (const n of [3, 4, 5, 6]) {
    const [event] = await company.rows("SELECT max(sequence) AS sequence FROM events");
    const fields = { rule: "lead_acknowledged", recipient: "lead", sequence: Number(event?.sequence) };
    await dueAt(company, LATER, { ...fields, occasion: `${n}` });
  }
  await runJob(company, { now: LATER + 1 });
  const capped = (await logOf(company, "state=capped")).map(({ reason, due_at, ended_at }) => [
    ...[reason, due_at, ended_at],
  ]);
  const again = new Date(LATER + 1 + HOUR).toISOString();
  expect(capped).toEqual([
    ["receiver_cap", again, null],
    ["receiver_cap", again, null],
  ]);
  expect(await logOf(company, "state=due")).toEqual([]);
  await runJob(company, { now: LATER + HOUR + 2 });
  expect(await statesOf(company)).toEqual(Array(7).fill("sent"));
});

test("what found no room within twelve hours ends as capped, with its reason", async () => {
  const company = await withLead();
  await acknowledge(company, 6);
  await runJob(company, { now: LATER });
  await runJob(company, { now: LATER + 12 * HOUR + 1 });
  expect((await linesOf(company)).slice(-1)).toEqual(["lead_acknowledged email lead capped receiver_cap"]);
  expect((await logOf(company, "state=capped")).map(({ ended_at }) => ended_at)).toEqual([
    new Date(LATER + 12 * HOUR + 1).toISOString(),
  ]);
});

test("jobs that run at once send a receiver no more", async () => {
  const company = await withLead();
  await acknowledge(company, 12);
  await Promise.all(Array.from({ length: 6 }, () => runJob(company, { now: LATER })));
  await runJob(company, { now: LATER });
  expect((await statesOf(company)).filter((state) => state === "sent")).toHaveLength(5);
});

test("strangers have half of the day's cap; staff's messages go on, and what was capped goes when there is room", async () => {
  const company = await openCompany({ email: "office@asha.example" });
  await onlyRules(company, {
    lead_acknowledged: { channels: { email: true } },
    credit_note_issued: { channels: { email: true } },
  });
  await setNotifications(company, { daily_cap: 4 });
  const lead = async () => {
    const body = { name: "Mia", email: newAddress(), message: "Hello" };
    must(await company.call("POST", "/leads/:company/capture", { body }), 200);
  };
  for (let n = 0; n < 4; n += 1) await lead();
  const [sent, capped] = [
    "lead_acknowledged email lead sent",
    "lead_acknowledged email lead capped daily_cap",
  ];
  expect((await settledLines(company)).toSorted()).toEqual([capped, capped, sent, sent]);
  // Whatever staff cause: here a notice to the company, of which no stranger is the cause.
  await dueAt(company, Date.now(), { rule: "payee_changed", resource: "payee", record_id: "profile" });
  await company.startSweep();
  expect(await settledLines(company, "rule=payee_changed")).toEqual(["payee_changed email company sent"]);
  await setNotifications(company, { daily_cap: 100 });
  await expect.poll(() => statesOf(company), { timeout: 20_000 }).toEqual(Array(5).fill("sent"));
});
