import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { newCustomer } from "../commerce.ts";
import { connect, newAddress, received } from "../messaging/provider.ts";
import { confirmed } from "../notifications/lesson-mails.ts";
import { refusal } from "../refusal.ts";
import { daysAhead, openSchool, STUDENT } from "../school.ts";

// No call gives rights that its caller lacks, whatever the operation itself asks for.
const lacking = (scope: unknown) => refusal(403, "insufficient_scope", { required_scope: scope });
const FEEDS = "/settings/:company/calendar-feeds";
const BOOKINGS = "/settings/:company/bookings";
const NOTIFICATIONS = "/settings/:company/notifications";
const TEMPLATE = "/settings/:company/notification-templates/booking_held/email/en";

// What books nothing is tried in one company.
const company = await openCompany();

test("an address of a calendar is given to a key that reads the lessons", async () => {
  const writer = await company.key("settings:write");
  const body = { name: "Office", detail: "full" };
  expect(await company.call("POST", FEEDS, { key: writer, body })).toMatchObject(lacking("settings:read"));
  const both = await company.key("settings:write", "diary:read");
  const feed = must(await company.call<{ id: string }>("POST", FEEDS, { key: both, body }), 201).body.data;
  const rotate = `${FEEDS}/${feed.id}/rotate`;
  expect(await company.call("POST", rotate, { key: writer })).toMatchObject(lacking("settings:read"));
  must(await company.call("POST", rotate, { key: both }), 200);
});

test("a booking's own address is given to a key that may change bookings", async () => {
  const school = await openSchool();
  const { company } = school;
  const { id, manage_url } = await confirmed(school, newAddress());
  expect(manage_url).toContain("/b/");
  const [reader, writer] = [await company.key("diary:read"), await company.key("diary:read", "diary:write")];
  const read = (key: typeof reader) =>
    company.read<{ manage_url: string | null }>(`${BOOKINGS}/${id}`, { key });
  expect((await read(reader)).manage_url).toBe(null);
  expect((await read(writer)).manage_url).toBe(manage_url);
  const list = must(await company.call<{ manage_url: unknown }[]>("GET", BOOKINGS, { key: reader }), 200);
  expect(list.body.data.map((one) => one.manage_url)).toEqual([null]);
  const seen = await company.call("POST", `${TEMPLATE}/preview`, {
    key: await company.key("settings:read"),
    body: { record_id: id },
  });
  expect(must(seen, 200).text).not.toContain(new URL(manage_url).pathname.split("/").at(-1));
});

test("a key that writes the diary alone reads no customer by a booking", async () => {
  const school = await openSchool();
  const { company, instructorId, courseId } = school;
  const { id } = await newCustomer(company, { name: "Victoria", phone: "9876543210" });
  const lesson = { instructor_id: instructorId, product_id: courseId, start_time: "10:00", notify: false };
  const of = (days: number, whose: object) => ({ ...lesson, booking_date: daysAhead(days), ...whose });
  const writer = await company.key("diary:write");
  const clerk = await company.key("diary:read", "diary:write");
  const typed = { customer: { ...STUDENT, phone: "876543210" } };
  const post = (key: typeof writer, body: object) => company.call("POST", BOOKINGS, { key, body });
  expect(await post(writer, of(7, { customer_id: id }))).toMatchObject(lacking("customers:read"));
  expect(await post(writer, of(7, typed))).toMatchObject(lacking("customers:read"));
  expect(await post(clerk, of(7, { customer_id: id }))).toMatchObject(lacking("customers:read"));
  must(await post(clerk, of(7, typed)), 201);
  must(await post(await company.key("diary:write", "customers:read"), of(8, { customer_id: id })), 201);
});

test("a text is tried out by a key that sends on its channel, and counts in its quota", async () => {
  await connect(company, "resend");
  const to = newAddress("stranger");
  const test = (key: Awaited<ReturnType<typeof company.key>>) =>
    company.call("POST", `${TEMPLATE}/test`, { key, body: { to } });
  expect(await test(await company.key("settings:write"))).toMatchObject(lacking("messages:email:send"));
  const fields = { scopes: ["settings:write", "messages:email:send"], messaging_daily_cap: 1 };
  const sender = await company.makeKey(fields);
  must(await test(sender), 202);
  expect(await test(sender)).toMatchObject({ status: 429, body: { code: "messaging_daily_cap" } });
  await expect.poll(async () => (await received(to)).length).toBe(1);
});

test("records are kept for fewer days by a key that may erase them", async () => {
  const patch = async (path: string, body: object, ...scopes: string[]) =>
    company.call("PATCH", `/settings/:company/${path}`, {
      key: await company.key("settings:write", ...scopes),
      body,
    });
  for (const field of ["content_days", "message_days"]) {
    expect(await patch("messaging-settings", { [field]: 1 })).toMatchObject(lacking("messages:write"));
    must(await patch("messaging-settings", { [field]: 500 }), 200);
    must(await patch("messaging-settings", { [field]: 1 }, "messages:write"), 200);
  }
  expect(await patch("event-settings", { event_days: 4 })).toMatchObject(
    lacking(expect.stringMatching(/write$/)),
  );
  must(await patch("event-settings", { event_days: 60 }), 200);
  const writing = ["customers", "invoices", "messages", "orders", "payments", "products"];
  const all = [...writing.map((area) => `${area}:write`), "projects.write"];
  must(await patch("event-settings", { event_days: 4 }, ...all), 200);
});

test("whether a cancelled lesson is paid back by itself is changed by a key that refunds", async () => {
  const path = "/settings/:company/booking-settings";
  const [weak, strong] = [
    await company.key("settings:write"),
    await company.key("settings:write", "refunds:write"),
  ];
  const patch = (key: typeof weak, body: object) => company.call("PATCH", path, { key, body });
  must(await patch(weak, { refund_on_cancel: "off", buffer_minutes: 10 }), 200);
  const full = { refund_on_cancel: "full", buffer_minutes: 20 };
  expect(await patch(weak, full)).toMatchObject(lacking("refunds:write"));
  const read = await company.call("GET", path);
  expect(read.body.data).toMatchObject({ refund_on_cancel: "off", buffer_minutes: 10 });
  must(await patch(strong, full), 200);
  must(await patch(weak, full), 200);
  expect(await patch(weak, { refund_on_cancel: "off" })).toMatchObject(lacking("refunds:write"));
});

test("an account that messages go through is removed, and called back elsewhere, by a key that reads messages", async () => {
  const path = `/settings/:company/messaging-providers`;
  const body = { channel: "sms", kind: "http", config: { url: "https://sms.example.com/send" } };
  const { id } = must(await company.call<{ id: string }>("POST", path, { body }), 201).body.data;
  const [weak, strong] = [
    await company.key("settings:write"),
    await company.key("settings:write", "messages:read", "orders:write"),
  ];
  const rotation = { overlap_seconds: 0 };
  for (const [method, at, sent] of [
    ["POST", `${path}/${id}/rotate`, rotation],
    ["DELETE", `${path}/${id}`, undefined],
  ] as const) {
    expect(await company.call(method, at, { key: weak, body: sent })).toMatchObject(lacking("messages:read"));
    must(await company.call(method, at, { key: strong, body: sent }), 200);
  }
});

test("lessons that a change hits are named without their learners to a key that reads no lessons", async () => {
  const school = await openSchool();
  const { company, instructorId } = school;
  await confirmed(school, newAddress());
  type Told = { affected_bookings: object[] };
  const switchOff = async (...scopes: string[]) => {
    const key = await company.key("settings:write", ...scopes);
    const path = `/settings/:company/instructors/${instructorId}?dry_run=true`;
    return must(await company.call<Told>("PATCH", path, { key, body: { is_active: false } }), 200).body.data
      .affected_bookings;
  };
  const [hidden] = await switchOff();
  expect(Object.keys(hidden ?? {})).toEqual(["id", "booking_number", "start_at"]);
  for (const scope of ["settings:read", "diary:read"])
    expect(await switchOff(scope)).toMatchObject([{ contact: { name: "Mia Chen" }, customer: {} }]);
});

test("a preview of a record is for a key that reads it", async () => {
  const path = "/settings/:company/notification-templates/invoice_overdue/email/en/preview";
  const key = await company.key("settings:read");
  expect(await company.call("POST", path, { key, body: { record_id: "1" } })).toMatchObject(
    lacking("invoices:read"),
  );
  must(await company.call("POST", path, { key, body: {} }), 200);
});

test.each(["Your Bank <ceo@bank.example>", "ceo@bank.example", 'A "B"'])(
  "a sender's name holds no address: %s",
  async (from_name) => {
    const answer = await company.call("PATCH", NOTIFICATIONS, { body: { from_name } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: "from_name" }] } });
  },
);
