import type { Client } from "@libsql/client";
import type { Operation } from "#api/operations/operation.ts";
import { copyRows, withoutTriggers } from "../../bench/growth/clone.ts";
import { line, newCustomer, newInvoice } from "../../features/commerce.ts";
import { must, type TestCompany } from "../../support/company.ts";
import { pdf } from "../../support/documents.ts";
import type { Prepared } from "../../support/operations.ts";

const JSON_LIMIT = 256 * 1_024;
const FILE_BYTES = 10 * 1_024 * 1_024;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
// More than a page has bytes for.
const RECORDS = 40;
const ACCOUNTS = 39_900;
const ENTRIES = 400;
const COURSES = 15_000;
const INSTRUCTORS = 200;
const LESSONS_A_DAY = 7;
const BOOKED_DAYS = 90;
/** 09:00 in India, in UTC. */
const OPENS_MS = 3.5 * HOUR_MS;

/** As many characters, one of which makes the runtime hold each in two bytes. */
const text = (characters: number) => `${"a".repeat(characters - 1)}ह`;
const html = (characters: number) => "<p>a <b>b</b></p>".repeat(Math.floor(characters / 17));

const invoiceItems = Array.from({ length: 200 }, () => ({ ...line, description: text(1_000) }));
const workItem = Object.fromEntries(
  ["description", "as_a", "i_want", "so_that", "acceptance_criteria", "repro_steps"].map((name) => [
    name,
    text(20_000),
  ]),
);
const job = { description_html: html(50_000), requirements_html: html(50_000) };
const instructor = {
  bio: text(5_000),
  languages: Array.from({ length: 50 }, (_, n) => text(90) + n),
  service_areas: Array.from({ length: 50 }, (_, n) => ({
    suburb: text(100),
    postcode: String(3_000 + n),
    state: text(100),
    radius_km: 10,
    latitude: -37.8,
    longitude: 144.9,
  })),
  schedule: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: "09:00", end: "16:00" })),
};
const recipients = Array.from({ length: 50 }, (_, n) => ({ email: `m${n}@example.com`, name: "Meera" }));

/** What a body has besides its example where it is as large as the operation takes it. */
const BODIES: Record<string, object> = {
  createInvoice: { items: invoiceItems },
  createWorkItem: workItem,
  updateWorkItem: { ...workItem, description: html(20_000) },
  createJob: job,
  updateJob: job,
  createInstructor: instructor,
  updateInstructor: { bio: instructor.bio, service_areas: instructor.service_areas },
  sendEmail: { to: recipients, html: html(JSON_LIMIT - 1_024) },
};
/** The name of the file of an operation that takes one. */
const FILES: Record<string, string> = { applyForJob: "resume", captureLead: "attachment" };

/** The paths to the widest records, by the operations that neither make nor end them. */
export type WidestPaths = Readonly<Record<string, string>>;

// What makes records of which there may be one alone.
const IN_ITS_OWN = new Set(["getEvent", "getEventDelivery", "getBooking", "getStaffBooking"]);

/** Whether the operation is called in the company that was filled, and not in one of its own. */
export function isOfFilled({ id, method }: Operation): boolean {
  return method === "get" && !IN_ITS_OWN.has(id);
}

/** Whether a call can hold more than one record of usual size: a read, a file, or a body that its fields can fill. */
export function canBeLarge({ id, method, bodyLimit }: Operation): boolean {
  return method === "get" || bodyLimit !== undefined || Object.hasOwn(BODIES, id) || Object.hasOwn(FILES, id);
}

/** The call with the longest page, the largest body and the largest file that the operation takes. */
export function widest(
  operation: Operation,
  { method, path: prepared, body }: Prepared,
  paths: WidestPaths,
): Prepared {
  const path = paths[operation.id] ?? prepared;
  const file = FILES[operation.id];
  if (file !== undefined) return { method, path, body: withFile(body, file) };
  if (typeof operation.list === "function") {
    const separator = path.includes("?") ? "&" : "?";
    return { method, path: `${path}${separator}limit=100`, body };
  }
  if (operation.id === "listInstructors") return { method, path: `${path}?with_next=true`, body };
  if (body === undefined || body instanceof FormData) return { method, path, body };
  const json = JSON.stringify({ ...Object(body), ...BODIES[operation.id] });
  const missing = (operation.bodyLimit ?? JSON_LIMIT) - Buffer.byteLength(json);
  return { method, path, body: json + " ".repeat(missing) };
}

function withFile(body: unknown, name: string): FormData {
  const form = body instanceof FormData ? body : new FormData();
  if (!(body instanceof FormData))
    for (const [member, value] of Object.entries(Object(body)))
      form.set(member, typeof value === "string" ? value : JSON.stringify(value));
  form.set(name, new Blob([pdf(FILE_BYTES)]), "large.pdf");
  return form;
}

/**
 * Gives the company more than a page of the widest records that are listed, 40,000 accounts, 15,000 courses, and a
 * school of 200 instructors who are booked up for 90 days: 126,000 bookings.
 */
export async function fill(company: TestCompany): Promise<WidestPaths> {
  const { id: customerId } = await newCustomer(company);
  await newInvoice(company, customerId, { items: invoiceItems });
  await company.make("/projects/:company/projects", { name: "Shop" });
  const title = "Wide";
  await company.make("/projects/:company/projects/1/work-items", { title, type: "task", ...workItem });
  await company.make("/settings/:company/jobs", { title, ...job });
  // A person whom no example erases.
  const applicant = { first_name: "Zoya", last_name: "Rao", email: "zoya@example.com" };
  await company.make("/recruitment/:company/jobs/wide/apply", withFile(applicant, "resume"));
  const captured = await company.call("POST", "/leads/:company/capture", {
    body: withFile(applicant, "attachment"),
  });
  must(captured, 200);
  const lesson = {
    name: "Lesson",
    unit_id: 1,
    selling_price: 50,
    duration_minutes: 60,
    transmission: "auto",
  };
  await company.make("/products/:company", { ...lesson, tax_rate: 18 });
  const school = { name: "Ravi", transmission: "both", ...instructor };
  await company.make("/settings/:company/instructors", school);
  const rules = { advance_days: 366, buffer_minutes: 0, min_notice_minutes: 0 };
  await company.change("/settings/:company/booking-settings", rules);
  const booking_date = new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10);
  await company.make("/schools/:company/bookings", {
    instructor_id: 1,
    product_id: 1,
    booking_date,
    start_time: "09:00",
    customer: { name: "Mia Chen", email: "mia@example.com" },
  });
  await copyWidely(company.database());
  const applications = "/settings/:company/applications";
  const submissions = "/settings/:company/leads/1/submissions";
  const workItems = "/projects/:company/projects/1/work-items";
  return {
    getInvoice: "/invoices/:company/1",
    listWorkItems: workItems,
    getWorkItem: `${workItems}/1`,
    getJob: "/recruitment/:company/jobs/wide",
    getJobSettings: "/settings/:company/jobs/1",
    getInstructor: "/settings/:company/instructors/1",
    downloadResume: `${applications}/${await firstOf(company, applications)}/resume`,
    downloadAttachment: `${submissions}/${await firstOf(company, submissions)}/attachment`,
  };
}

async function firstOf(company: TestCompany, path: string): Promise<string> {
  return (await company.read<{ id: string }[]>(path))[0]?.id ?? "";
}

async function copyWidely(database: Client): Promise<void> {
  const operation = "t.operation || '+' || i";
  const slot = `i / ${INSTRUCTORS}`;
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const start = `${today + OPENS_MS} + ${slot} / ${LESSONS_A_DAY} * ${DAY_MS} + ${slot} % ${LESSONS_A_DAY} * ${HOUR_MS}`;
  const debtor = "(SELECT min(id) FROM accounts WHERE party_id IS NOT NULL)";
  const copies: [count: number, table: string, where: string, changes: Record<string, string>][] = [
    [
      RECORDS,
      "invoices",
      "t.id = 1",
      {
        id: "1 + i",
        operation,
        invoice_number: "'W-' || i",
        public_token: operation.replace("operation", "public_token"),
      },
    ],
    [RECORDS, "invoice_items", "t.invoice_id = 1", { id: "t.id + 200 * i", invoice_id: "1 + i" }],
    [RECORDS, "work_items", "t.id = 1", { id: "1 + i", operation, number: "1 + i", reference: "'W-' || i" }],
    [RECORDS, "jobs", "t.id = 1", { id: "1 + i", operation, slug: "'wide-' || i" }],
    [
      ACCOUNTS,
      "accounts",
      `t.id = ${debtor}`,
      { id: "1000 + i", code: "t.code || '+' || i", name: "t.name || ' ' || i", party_id: "1000 + i" },
    ],
    [
      ENTRIES,
      "journal_entries",
      "t.id = 1",
      { id: "1000 + i", operation, entry_number: "'W-' || i", source_id: "1000 + i" },
    ],
    [
      ACCOUNTS,
      "journal_lines",
      `t.entry_id = 1 AND t.account_id = ${debtor}`,
      {
        ...{ entry_id: `1001 + i % ${ENTRIES}`, account_id: "1000 + i", position: "1000 + i" },
        ...{ debit: "iif(i % 2, t.debit, t.credit)", credit: "iif(i % 2, t.credit, t.debit)" },
      },
    ],
    [COURSES, "products", "t.id = 1", { id: "1 + i", operation, sku: "'W-' || i" }],
    [INSTRUCTORS - 1, "instructors", "t.id = 1", { id: "1 + i", operation }],
    [
      INSTRUCTORS * LESSONS_A_DAY * BOOKED_DAYS,
      "bookings",
      "t.rowid = (SELECT min(rowid) FROM bookings)",
      {
        operation,
        id: "'bkg_' || replace(replace(replace(replace(printf('%026d', i), '0', 'a'), '1', 'b'), '8', 'c'), '9', 'd')",
        booking_number: "'W-' || i",
        public_token: "printf('%043d', i)",
        instructor_id: `1 + i % ${INSTRUCTORS}`,
        start_at: start,
        end_at: `${start} + ${HOUR_MS}`,
        status: "'confirmed'",
      },
    ],
  ];
  const tables = copies.map(([, table]) => table);
  await withoutTriggers(database, tables, async () => {
    for (const [count, table, where, changes] of copies)
      await copyRows(database, [{ table, where, changes }], count);
  });
}
