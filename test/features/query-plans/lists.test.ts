import { describe, expect, test } from "vitest";
import type { Ctx } from "#core/context.ts";
import { listBookings } from "../../../src/features/bookings/bookings/list-bookings.ts";
import { instructorVerbs } from "../../../src/features/bookings/instructors/instructors.ts";
import { listLocations } from "../../../src/features/bookings/locations/locations.ts";
import { listAuditLog } from "../../../src/features/company/audit-log/audit-log.ts";
import { listCustomers as pageOfCustomers } from "../../../src/features/customers/read.ts";
import { listInvoices as pageOfInvoices } from "../../../src/features/invoices/invoices/read.ts";
import { listLeads } from "../../../src/features/leads/leads/list-leads.ts";
import { listEntries } from "../../../src/features/ledger/entries/entries.ts";
import { listUnposted } from "../../../src/features/ledger/unposted/unposted.ts";
import { listInbound } from "../../../src/features/messaging/inbox/inbox.ts";
import { listMessages } from "../../../src/features/messaging/messages/list-messages.ts";
import { listPayments } from "../../../src/features/payments/payments/read.ts";
import { listProducts } from "../../../src/features/products/products/read.ts";
import { getMeta } from "../../../src/features/projects/meta/get-meta.ts";
import { listAssignees } from "../../../src/features/projects/meta/list-assignees.ts";
import { listApplications } from "../../../src/features/recruitment/applications/applications.ts";
import { listDepartments } from "../../../src/features/recruitment/departments/list-departments.ts";
import { listJobs } from "../../../src/features/recruitment/jobs/open-jobs.ts";
import { listCatalogue } from "../../../src/features/storefront/catalogue/catalogue.ts";
import { expectIndexed, listOf, oneWalk, PROJECT, pages, planOf, posted } from "./plans.ts";

/** The place of a page in a list by date. */
const dated = ({ after, take }: { after: number[] | null; take: number }) => ({
  after: after && ["2026-11-21", ...after],
  take,
});

const lists: [string, (page: (typeof pages)[number]) => (ctx: Ctx) => Promise<unknown>][] = [
  ["customers", (page) => (ctx) => pageOfCustomers(ctx, {}, { q: undefined, page })],
  ["customers by a search", (page) => (ctx) => pageOfCustomers(ctx, {}, { q: "meera", page })],
  ["customers by a phone number", (page) => (ctx) => pageOfCustomers(ctx, {}, { q: "98765 43210", page })],
  ["customers by a short search", (page) => (ctx) => pageOfCustomers(ctx, {}, { q: "me", page })],
  ["invoices", (page) => (ctx) => pageOfInvoices(ctx, {}, { page })],
  ["invoices by status", (page) => (ctx) => pageOfInvoices(ctx, {}, { status: "unpaid", page })],
  ["invoices by customer", (page) => (ctx) => pageOfInvoices(ctx, {}, { customer_id: 1, page })],
  ["invoices by both", (page) => (ctx) => pageOfInvoices(ctx, {}, { status: "paid", customer_id: 1, page })],
  ["payments", (page) => (ctx) => listPayments(ctx, {}, { page })],
  ["payments by invoice", (page) => (ctx) => listPayments(ctx, {}, { invoice_id: 1, page })],
  ["payments by customer", (page) => (ctx) => listPayments(ctx, {}, { customer_id: 1, page })],
  ["payments by both", (page) => (ctx) => listPayments(ctx, {}, { invoice_id: 1, customer_id: 1, page })],
  ["products", (page) => (ctx) => listProducts(ctx, {}, { page })],
  ["products by category", (page) => (ctx) => listProducts(ctx, {}, { category_id: 1, page })],
  ["products by a search", (page) => (ctx) => listProducts(ctx, {}, { q: "bottle", page })],
  ["the catalogue", (page) => (ctx) => listCatalogue(ctx, {}, { page })],
  ["the catalogue by category", (page) => (ctx) => listCatalogue(ctx, {}, { category_id: 1, page })],
  ["the catalogue by a search", (page) => (ctx) => listCatalogue(ctx, {}, { q: "bottle", page })],
  ["payment gateways", listOf("listPaymentGateways")],
  ["accounts", listOf("listAccounts")],
  ["journal entries", (page) => (ctx) => listEntries(ctx, {}, { page })],
  ["journal entries by account", (page) => (ctx) => listEntries(ctx, {}, { account_id: 1, page })],
  ["ignored payments", (page) => listOf("listIgnoredPayments")(posted(page))],
  ["what is unposted", (page) => (ctx) => listUnposted(ctx, {}, { page })],
  ["the audit log", (page) => (ctx) => listAuditLog(ctx, {}, { page })],
  ["the inbox", (page) => (ctx) => listInbound(ctx, {}, { page })],
  ["the inbox by channel", (page) => (ctx) => listInbound(ctx, {}, { channel: "sms", page })],
  ["the inbox by sender", (page) => (ctx) => listInbound(ctx, {}, { from: "919845012345", page })],
  ["the unread of the inbox", (page) => (ctx) => listInbound(ctx, {}, { unread: true, page })],
  ["messages", (page) => (ctx) => listMessages(ctx, {}, { page })],
  ["messages by channel", (page) => (ctx) => listMessages(ctx, {}, { channel: "sms", page })],
  ["messages by status", (page) => (ctx) => listMessages(ctx, {}, { status: "failed", page })],
  ["messages by both", (page) => (ctx) => listMessages(ctx, {}, { channel: "sms", status: "failed", page })],
  ["messages to someone", (page) => (ctx) => listMessages(ctx, {}, { to: "919845012345", page })],
  [
    "messages of a time",
    (page) => (ctx) => listMessages(ctx, {}, { created_from: 1, created_to: 2, status: "read", page }),
  ],
  ["messaging providers", listOf("listMessagingProviders")],
  ["SMS templates", listOf("listSmsTemplates")],
  ["opt-outs", listOf("listOptouts")],
  ["suppressions", listOf("listSuppressions")],
  ["payment modes", listOf("listPaymentModes")],
  ["units in the settings", listOf("listUnitSettings")],
  ["categories", listOf("listCategorySettings")],
  ["projects", listOf("listProjects")],
  ["areas", listOf("listAreas", PROJECT)],
  ["iterations", listOf("listIterations", PROJECT)],
  ["sprints", listOf("listSprints", PROJECT)],
  ["milestones", (page) => listOf("listMilestones", PROJECT)(dated(page))],
  ["comments", listOf("listComments", { ...PROJECT, id: 1 })],
  ["work-item statuses in the settings", listOf("listWorkItemStatuses")],
  ["employees in the settings", listOf("listEmployees")],
  ["open jobs", (page) => (ctx) => listJobs(ctx, {}, { page: posted(page) })],
  ["open jobs by department", (page) => (ctx) => listJobs(ctx, {}, { department: 1, page: posted(page) })],
  ["open jobs by a search", (page) => (ctx) => listJobs(ctx, {}, { q: "weld", page: posted(page) })],
  ["jobs in the settings", listOf("listJobSettings")],
  ["departments in the settings", listOf("listDepartmentSettings")],
  ["applications", (page) => (ctx) => listApplications(ctx, {}, { page })],
  ["applications by job", (page) => (ctx) => listApplications(ctx, {}, { job_id: 1, page })],
  ["applications by status", (page) => (ctx) => listApplications(ctx, {}, { status: "hired", page })],
  [
    "applications by both",
    (page) => (ctx) => listApplications(ctx, {}, { job_id: 1, status: "hired", page }),
  ],
  ["leads", (page) => (ctx) => listLeads(ctx, {}, { page })],
  ["leads by status", (page) => (ctx) => listLeads(ctx, {}, { status: "new", page })],
  ["leads by source", (page) => (ctx) => listLeads(ctx, {}, { source: "website", page })],
  ["leads by both", (page) => (ctx) => listLeads(ctx, {}, { status: "new", source: "website", page })],
  ["lead sources in the settings", listOf("listLeadSourceSettings")],
  ["instructors in the settings", (page) => (ctx) => instructorVerbs.list(ctx, {}, { page })],
  ["instructor fields", listOf("listFieldSettings")],
  ["bookings", (page) => (ctx) => listBookings(ctx, {}, { order: "created", page: dated(page) })],
  [
    "bookings of a date",
    (page) => (ctx) =>
      listBookings(ctx, {}, { order: "created", booking_date: "2026-12-01", page: dated(page) }),
  ],
  ["booking packages", listOf("listPackageSettings")],
  ["locations in the settings", listOf("listLocationSettings")],
];

test("the lists of statuses and of assignees, which are not paged, read an index in its order", async () => {
  expect(await planOf((ctx) => getMeta(ctx))).toEqual(
    oneWalk("SCAN work_item_statuses USING INDEX work_item_statuses_by_position"),
  );
  expect(await planOf((ctx) => listAssignees(ctx, {}, { q: "rao" }))).toEqual(
    oneWalk("SCAN employees USING INDEX employees_by_name"),
  );
});

describe.each(lists)("the list of %s", (_what, verb) => {
  test.each([
    ["the first page", pages[0]],
    ["a later page", pages[1]],
  ])("%s goes by an index and is not sorted", async (_which, page = { after: null, take: 26 }) => {
    expectIndexed(await planOf(verb(page)));
  });
});

test("the list of locations for booking, which is not paged, reads the index of the active ones in its order", async () => {
  expect(await planOf((ctx) => listLocations(ctx))).toEqual(
    oneWalk("SCAN locations USING INDEX locations_by_name"),
  );
});

test("the list of departments reads the index of the active ones in its order, and counts by an index", async () => {
  const plan = await planOf((ctx) => listDepartments(ctx));
  expect(plan).toContain("SCAN departments USING INDEX departments_by_name");
  expectIndexed(plan.filter((step) => !step.startsWith("SCAN departments ")));
});
