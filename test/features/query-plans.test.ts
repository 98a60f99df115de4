import type { InValue } from "@libsql/client";
import type { SQLWrapper } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Ctx } from "#platform/context.ts";
import { Database } from "#platform/database/database.ts";
import { listFieldSettings } from "../../src/features/bookings/fields/manage.ts";
import { listInstructorSettings } from "../../src/features/bookings/instructors/manage.ts";
import { listLocations } from "../../src/features/bookings/locations/list.ts";
import { getLocation, listLocationSettings } from "../../src/features/bookings/locations/manage.ts";
import { listPackageSettings } from "../../src/features/bookings/packages/manage.ts";
import { listBookings } from "../../src/features/bookings/reservations/manage.ts";
import { listAuditLog } from "../../src/features/company/audit-log/audit-log.ts";
import { listEmployees } from "../../src/features/company/employees/employees.ts";
import { getCustomer as readCustomer } from "../../src/features/customers/get.ts";
import { listCustomers as pageOfCustomers } from "../../src/features/customers/list.ts";
import { listGateways } from "../../src/features/gateway-payments/gateways/gateways.ts";
import { getInvoice as readInvoice } from "../../src/features/invoices/invoices/get.ts";
import { listInvoices as pageOfInvoices } from "../../src/features/invoices/invoices/list.ts";
import { listLeads } from "../../src/features/leads/leads/list-leads.ts";
import { listSourceSettings } from "../../src/features/leads/sources/sources.ts";
import { listAccounts } from "../../src/features/ledger/accounts/list.ts";
import { listEntries } from "../../src/features/ledger/entries/list.ts";
import { listUnposted } from "../../src/features/ledger/unposted/list.ts";
import { listOptouts } from "../../src/features/messaging/contacts/optouts.ts";
import { listSuppressions } from "../../src/features/messaging/contacts/suppressions.ts";
import { getMessage } from "../../src/features/messaging/messages/get-message.ts";
import { listMessages } from "../../src/features/messaging/messages/list-messages.ts";
import { listProviders } from "../../src/features/messaging/providers/read-providers.ts";
import { listTemplates } from "../../src/features/messaging/templates/sms-templates.ts";
import { listModeSettings } from "../../src/features/payments/modes/modes.ts";
import { listPayments } from "../../src/features/payments/payments/list.ts";
import { listCategorySettings } from "../../src/features/products/categories/categories.ts";
import { listProducts } from "../../src/features/products/products/list.ts";
import { listUnitSettings } from "../../src/features/products/units/units.ts";
import { listAreas } from "../../src/features/projects/areas/list.ts";
import { listComments } from "../../src/features/projects/comments/comments.ts";
import { listIterations } from "../../src/features/projects/iterations/list.ts";
import { getMeta } from "../../src/features/projects/meta/get-meta.ts";
import { listAssignees } from "../../src/features/projects/meta/list-assignees.ts";
import { listMilestones } from "../../src/features/projects/milestones/list.ts";
import { listProjects } from "../../src/features/projects/projects/list.ts";
import { getBurndown } from "../../src/features/projects/sprints/burndown.ts";
import { getSprint, listSprints } from "../../src/features/projects/sprints/list.ts";
import { listStatuses } from "../../src/features/projects/statuses/statuses.ts";
import { getWorkItem } from "../../src/features/projects/work-items/get.ts";
import { listWorkItems } from "../../src/features/projects/work-items/list.ts";
import type { WorkItemQuery } from "../../src/features/projects/work-items/schema.ts";
import {
  getApplication,
  listApplications,
} from "../../src/features/recruitment/applications/applications.ts";
import { listDepartmentSettings } from "../../src/features/recruitment/departments/departments.ts";
import { listDepartments } from "../../src/features/recruitment/departments/list-departments.ts";
import { getJob } from "../../src/features/recruitment/jobs/get-job.ts";
import { listJobSettings, listJobs } from "../../src/features/recruitment/jobs/list-jobs.ts";
import { getCatalogueProduct, listCatalogue } from "../../src/features/storefront/catalogue/catalogue.ts";
import { getOrder as readOrder } from "../../src/features/storefront/orders/get.ts";
import { getListedOrder, listOrders } from "../../src/features/storefront/orders/list.ts";
import type { OrderQuery } from "../../src/features/storefront/orders/staff-schema.ts";
import { openCompany, type TestCompany } from "../support/company.ts";
import { rowsOf } from "./commerce.ts";

const dialect = new SQLiteAsyncDialect();
const pages = [
  { after: null, take: 26 },
  { after: [40], take: 26 },
];

let company: TestCompany;
beforeAll(async () => {
  company = await openCompany();
});

type Statement = { sql: string; args: InValue[] };

/** The statements that a read sends to the database, which answers with no row. */
async function statementsOf(verb: (ctx: Ctx) => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = [];
  const read = async (queries: readonly SQLWrapper[]) => {
    for (const query of queries) {
      const { sql, params } = dialect.sqlToQuery(query.getSQL());
      sent.push({ sql, args: params as InValue[] });
    }
    return queries.map(() => []);
  };
  const ctx = {
    company: { timezone: "Asia/Kolkata", currency: "INR" },
    actor: { type: "secret", id: "ck_plans", name: "Plans" },
    db: new Database({ url: "http://127.0.0.1:1", token: "" }).build,
    database: { read },
    now: 0,
    operation: { fingerprint: null },
  };
  // A single read that finds nothing answers 404, after it has sent what is wanted here.
  await verb(ctx as unknown as Ctx).catch(() => {});
  return sent;
}

/** The steps of the database's plans for the statements that the verb sends. */
async function planOf(verb: (ctx: Ctx) => Promise<unknown>): Promise<string[]> {
  const statements = await statementsOf(verb);
  expect(statements.length).toBeGreaterThan(0);
  const plans = await Promise.all(
    statements.map(({ sql, args }) => rowsOf(company, `EXPLAIN QUERY PLAN ${sql}`, args)),
  );
  return plans.flat().map(({ detail }) => String(detail));
}

// The trigram index is a virtual table: SQLite calls every look-up in it a scan, and names the index. The others are
// what a query works on: the values that a filter names, the ancestors and descendants in a tree, one page of each.
const NO_TABLE =
  / VIRTUAL TABLE INDEX \d+:\S|^SCAN (?:above|below|area|(?:kind|page|json_each) VIRTUAL TABLE INDEX \d+:|\(subquery-\d+\)|CONSTANT ROW)$/;

/** The plan of a list that is not paged: one walk, in its order, whose rows become one text. */
const oneWalk = (walk: string) => ["CO-ROUTINE (subquery-1)", walk, "SCAN (subquery-1)"];

/** No table is read from end to end, and the rows come in the list's order without being sorted. */
function expectIndexed(plan: string[]): void {
  expect(plan.length).toBeGreaterThan(0);
  // Rows that a subquery brought in order are read once more, under its name.
  const brought = plan.flatMap((step) => step.split("CO-ROUTINE ")[1] ?? []).map((name) => `SCAN ${name}`);
  const scans = plan.filter((step) => {
    if (!step.startsWith("SCAN") || NO_TABLE.test(step)) return false;
    const known = brought.indexOf(step);
    if (known >= 0) brought.splice(known, 1);
    return known < 0;
  });
  expect(scans).toEqual([]);
  expect(plan.filter((step) => /USE TEMP B-TREE FOR (?:ORDER BY|RIGHT|LAST)/.test(step))).toEqual([]);
}

const PROJECT = { project_id: 1 };
/** The place of a page in a list by date. */
const dated = ({ after, take }: { after: number[] | null; take: number }) => ({
  after: after && ["2026-11-21", ...after],
  take,
});
/** A page of a list that begins after a time and an id. */
function posted({ after, take }: (typeof pages)[number]) {
  return { after: after === null ? null : [1_790_000_000_000, ...after], take };
}

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
  ["payment gateways", (page) => (ctx) => listGateways(ctx, {}, { page })],
  ["accounts", (page) => (ctx) => listAccounts(ctx, {}, { page })],
  ["journal entries", (page) => (ctx) => listEntries(ctx, {}, { page })],
  ["journal entries by account", (page) => (ctx) => listEntries(ctx, {}, { account_id: 1, page })],
  ["what is unposted", (page) => (ctx) => listUnposted(ctx, {}, { page })],
  ["the audit log", (page) => (ctx) => listAuditLog(ctx, {}, { page })],
  ["messages", (page) => (ctx) => listMessages(ctx, {}, { page })],
  ["messages by channel", (page) => (ctx) => listMessages(ctx, {}, { channel: "sms", page })],
  ["messages by status", (page) => (ctx) => listMessages(ctx, {}, { status: "failed", page })],
  ["messages by both", (page) => (ctx) => listMessages(ctx, {}, { channel: "sms", status: "failed", page })],
  ["messages to someone", (page) => (ctx) => listMessages(ctx, {}, { to: "919845012345", page })],
  [
    "messages of a time",
    (page) => (ctx) => listMessages(ctx, {}, { created_from: 1, created_to: 2, status: "read", page }),
  ],
  ["messaging providers", (page) => (ctx) => listProviders(ctx, {}, { page })],
  ["SMS templates", (page) => (ctx) => listTemplates(ctx, {}, { page })],
  ["opt-outs", (page) => (ctx) => listOptouts(ctx, {}, { page })],
  ["suppressions", (page) => (ctx) => listSuppressions(ctx, {}, { page })],
  ["payment modes", (page) => (ctx) => listModeSettings(ctx, {}, { page })],
  ["units in the settings", (page) => (ctx) => listUnitSettings(ctx, {}, { page })],
  ["categories", (page) => (ctx) => listCategorySettings(ctx, {}, { page })],
  ["projects", (page) => (ctx) => listProjects(ctx, {}, { page })],
  ["areas", (page) => (ctx) => listAreas(ctx, PROJECT, { page })],
  ["iterations", (page) => (ctx) => listIterations(ctx, PROJECT, { page })],
  ["sprints", (page) => (ctx) => listSprints(ctx, PROJECT, { page })],
  ["milestones", (page) => (ctx) => listMilestones(ctx, PROJECT, { page: dated(page) })],
  ["comments", (page) => (ctx) => listComments(ctx, { ...PROJECT, id: 1 }, { page })],
  ["work-item statuses in the settings", (page) => (ctx) => listStatuses(ctx, {}, { page })],
  ["employees in the settings", (page) => (ctx) => listEmployees(ctx, {}, { page })],
  ["open jobs", (page) => (ctx) => listJobs(ctx, {}, { page: posted(page) })],
  ["open jobs by department", (page) => (ctx) => listJobs(ctx, {}, { department: 1, page: posted(page) })],
  ["open jobs by a search", (page) => (ctx) => listJobs(ctx, {}, { q: "weld", page: posted(page) })],
  ["jobs in the settings", (page) => (ctx) => listJobSettings(ctx, {}, { page })],
  ["departments in the settings", (page) => (ctx) => listDepartmentSettings(ctx, {}, { page })],
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
  ["lead sources in the settings", (page) => (ctx) => listSourceSettings(ctx, {}, { page })],
  ["instructors in the settings", (page) => (ctx) => listInstructorSettings(ctx, {}, { page })],
  ["instructor fields", (page) => (ctx) => listFieldSettings(ctx, {}, { page })],
  ["bookings", (page) => (ctx) => listBookings(ctx, {}, { page: dated(page) })],
  [
    "bookings of a date",
    (page) => (ctx) => listBookings(ctx, {}, { booking_date: "2026-12-01", page: dated(page) }),
  ],
  ["booking packages", (page) => (ctx) => listPackageSettings(ctx, {}, { page })],
  ["locations in the settings", (page) => (ctx) => listLocationSettings(ctx, {}, { page })],
];

/** Each filter of the work items, with the index that its list must go by. */
const itemFilters: [Partial<WorkItemQuery>, string][] = [
  [{}, "work_items_project"],
  [{ open_only: true }, "work_items_open"],
  [{ type: ["bug"] }, "work_items_type"],
  [{ type: ["bug", "task"] }, "work_items_type"],
  [{ state_category: "resolved" }, "work_items_state_category"],
  [{ status: "in_qa" }, "work_items_status"],
  [{ assigned_to: 1 }, "work_items_assignee"],
  [{ iteration_id: 1 }, "work_items_iteration"],
  [{ sprint_id: 1 }, "work_items_sprint"],
  [{ area_id: 1 }, "work_items_area"],
  [{ area_id: 1, area_subtree: true }, "work_items_area"],
  [{ parent_id: 1 }, "work_items_parent"],
  [{ q: "upi" }, "VIRTUAL TABLE INDEX"],
  [{ q: "up" }, "work_items_project"],
  [{ updated_since: 1 }, "work_items_updated"],
  [{ open_only: true, type: ["bug"] }, "work_items_type"],
  [{ open_only: true, assigned_to: 1 }, "work_items_assignee"],
  [{ open_only: true, q: "upi" }, "VIRTUAL TABLE INDEX"],
];

describe.each(itemFilters)("the list of work items by %j", (filter, index) => {
  test.each([
    ["the first page", { after: null, take: 26 }],
    ["a later page", { after: [40, 40], take: 26 }],
  ])("%s goes by its index and is not sorted", async (_which, page) => {
    const plan = await planOf((ctx) => listWorkItems(ctx, PROJECT, { ...filter, page }));
    expectIndexed(plan);
    expect(plan.some((step) => step.includes(index))).toBe(true);
  });
});

/** Each filter of the orders, with the index that its list must go by. */
const orderFilters: [Partial<OrderQuery>, string][] = [
  [{}, "sales_orders_created"],
  [{ status: "draft" }, "sales_orders_status"],
  [{ payment_status: "review" }, "sales_orders_payment_status"],
  [{ needs_review: true }, "sales_orders_needs_review"],
  [{ needs_refund: true }, "sales_orders_needs_refund"],
  [{ review_code: "oversold" }, "sales_orders_review_code"],
  [{ customer_id: 1 }, "sales_orders_of_customer"],
  [{ created_from: "2026-04-01" }, "sales_orders_created"],
  [{ created_to: "2026-04-30" }, "sales_orders_created"],
  [{ q: "meera" }, "VIRTUAL TABLE INDEX"],
  [{ q: "me" }, "sales_orders_created"],
  [{ q: "meera", status: "invoiced" }, "VIRTUAL TABLE INDEX"],
];

describe.each(orderFilters)("the list of orders by %j", (filter, index) => {
  test.each(pages)("goes by its index and is not sorted: %j", async (page) => {
    const plan = await planOf((ctx) => listOrders(ctx, {}, { ...filter, page: posted(page) }));
    expectIndexed(plan);
    expect(plan.filter((step) => step.includes(index))).not.toEqual([]);
  });
});

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

test.each([
  ["a customer", (ctx: Ctx) => readCustomer(ctx, { id: 1 })],
  ["an invoice", (ctx: Ctx) => readInvoice(ctx, { id: 1 })],
  ["a message", (ctx: Ctx) => getMessage(ctx, { id: "msg_1" })],
  ["a location", (ctx: Ctx) => getLocation(ctx, { id: 1 })],
  ["a product of the catalogue", (ctx: Ctx) => getCatalogueProduct(ctx, { productId: 1 })],
  ["an order", (ctx: Ctx) => readOrder(ctx, { orderId: 1 })],
  ["an order with its payments", (ctx: Ctx) => getListedOrder(ctx, { id: 1 })],
  ["a work item with its history", (ctx: Ctx) => getWorkItem(ctx, { project_id: 1, id: 1 })],
  ["a sprint", (ctx: Ctx) => getSprint(ctx, { project_id: 1, id: 1 })],
  ["a burn-down", (ctx: Ctx) => getBurndown(ctx, { project_id: 1, id: 1 }, {})],
  ["an open job", (ctx: Ctx) => getJob(ctx, { slug: "welder" })],
  ["an application", (ctx: Ctx) => getApplication(ctx, { id: 1 })],
])("the single read of %s goes by an index", async (_what, verb) => {
  expectIndexed(await planOf(verb));
});

test("a plan that reads a whole table, or sorts, would be noticed", async () => {
  const plan = async (sql: string) =>
    (await rowsOf(company, `EXPLAIN QUERY PLAN ${sql}`)).map(({ detail }) => String(detail));
  const scanning = await plan("SELECT id FROM customers WHERE city = 'Mysuru'");
  const sorting = await plan("SELECT id FROM invoices WHERE customer_id = 1 ORDER BY due_date");
  expect(() => expectIndexed(scanning)).toThrow();
  expect(() => expectIndexed(sorting)).toThrow();
});
