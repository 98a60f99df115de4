import { describe, expect, test } from "vitest";
import { reads } from "../../support/operations.ts";
import { expectIndexed, explain, planOf } from "./plans.ts";

// What is read otherwise: step by step, or the one row of the company itself.
const OTHERWISE = ["trialBalance", "profitAndLoss", "balanceSheet", "checkBooks", "getProfile"];
const PATH = {
  ...{ project_id: 1, id: 1, productId: 1, orderId: 1, slug: "welder", delivery_id: 1, submission_id: 1 },
  ...{ application_id: 1, payout_id: 1, override_id: 1 },
  ...{ rule: "booking_confirmed", channel: "email", language: "en" },
};
const [from, to] = ["2026-12-01", "2026-12-31"];
const byStart = { order: "start" };
const [places, lesson] = [
  { with_next: true, location_id: 1 },
  { instructor_id: 1, date: from },
];

/** Queries, each with the index that it must go by, where one is not as good as another. */
type Queries = readonly (readonly [query: object, index?: string])[];
const QUERIES: Record<string, Queries> = {
  followEvents: [
    [{}],
    [{ after: 1, epoch: "e", limit: 25 }],
    [{ after: 1, epoch: "e", limit: 25, type: ["invoice.paid"] }],
    [{ after: 1, epoch: "e", limit: 25, type: ["invoice.paid", "invoice.voided"] }],
  ],
  getAvailability: [[lesson]],
  listDayBook: [[{ from, to }, "journal_entries_date (entry_date>? AND entry_date<?)"]],
  listAgeing: [[{}, "journal_lines_account (account_id=?)"]],
  listCustomerStatement: [[{ from, to }, "journal_lines_account (account_id=?)"]],
  getStatementSummary: [[{ from, to }, "journal_lines_account (account_id=?)"]],
  getDiary: [[{ from, to: "2026-12-14" }, "(instructor_id=? AND start_at>? AND start_at<?)"]],
  listApplications: [[{}], [{ job_id: 1 }], [{ status: "hired" }], [{ job_id: 1, status: "hired" }]],
  listAvailableDates: [[{ instructor_id: 1, from, to }]],
  listBookings: [
    [{}, "bookings_newest"],
    [{ status: ["confirmed"] }, "bookings_status"],
    [{ booking_date: from }],
    [byStart, "bookings_start"],
    [{ ...byStart, from, to }, "bookings_start"],
    [{ ...byStart, from, instructor_id: 1 }, "bookings_instructor_start"],
    [{ ...byStart, payment_status: ["refund_due"] }, "bookings_owed_start"],
    [{ customer_id: 1 }, "bookings_customer"],
    [{ needs_review: true }, "bookings_review"],
    [{ refund_status: "partial" }, "bookings_refund_status"],
  ],
  listCatalogue: [[{}], [{ category_id: 1 }], [{ q: "bottle" }]],
  listCustomers: [[{}], [{ q: "meera" }], [{ q: "98765 43210" }], [{ q: "me" }]],
  listEventDeliveries: [[{}], [{ state: "failed" }]],
  listInbound: [[{}], [{ channel: "sms" }], [{ from: "919845012345" }], [{ unread: true }]],
  listInstructors: [[places]],
  listInvoices: [[{}], [{ status: "unpaid" }], [{ customer_id: 1 }], [{ status: "paid", customer_id: 1 }]],
  listJobs: [[{}], [{ department: 1 }], [{ q: "weld" }]],
  listJournalEntries: [
    [{}, "INTEGER PRIMARY KEY (rowid<?)"],
    [{ account_id: 1 }, "journal_lines_account"],
    [{ account_id: 1, status: "voided" }, "journal_lines_account"],
    [{ from }, "journal_entries_date (entry_date>? AND entry_date<?)"],
    [{ from, to, account_id: 1, voucher_type: "receipt" }, "journal_entries_date"],
    [{ source_type: "manual" }, "journal_entries_source_type (source_type=? AND id<?)"],
    [{ voucher_type: "expense", status: "posted" }, "journal_entries_source_type"],
  ],
  listLeads: [[{}], [{ status: "new" }], [{ source: "website" }], [{ status: "new", source: "website" }]],
  listMessages: [
    [{}],
    [{ channel: "sms" }],
    [{ status: "failed" }],
    [{ channel: "sms", status: "failed" }],
    [{ to: "919845012345" }],
    [{ created_from: 1, created_to: 2, status: "read" }],
    [{ source: "notification" }, "messages_notified"],
    [{ rule: "booking_confirmed" }, "messages_rule"],
  ],
  listOrders: [
    [{}, "sales_orders_created"],
    [{ status: "draft" }, "sales_orders_status"],
    [{ payment_status: "review" }, "sales_orders_payment_status"],
    [{ needs_review: true }, "sales_orders_needs_review"],
    [{ needs_refund: true }, "sales_orders_needs_refund"],
    [{ refund_status: "partial" }, "sales_orders_refund_status"],
    [{ review_code: "oversold" }, "sales_orders_review_code"],
    [{ customer_id: 1 }, "sales_orders_of_customer"],
    [{ q: "meera" }, "VIRTUAL TABLE INDEX"],
    [{ q: "me" }, "sales_orders_created"],
    [{ q: "meera", status: "invoiced" }, "VIRTUAL TABLE INDEX"],
  ],
  listPackages: [[{ customer_email: "a@b.c", customer_phone: "0412345678" }]],
  listPayments: [[{}], [{ invoice_id: 1 }], [{ customer_id: 1 }], [{ invoice_id: 1, customer_id: 1 }]],
  listProducts: [[{}], [{ category_id: 1 }], [{ q: "bottle" }]],
  listReceipts: [
    [{}],
    [{ from, to }, "lesson_receipts_date (receipt_date>? AND (receipt_date,created_at)<"],
    [{ refunded_from: from }, "lesson_receipts_refund_date"],
    [{ from, refunded_from: from, refunded_to: to }, "lesson_receipts_refund_date"],
  ],
  listCreditPayouts: [[{}], [{ from, to }, "credit_payouts_date (payout_date>? AND"]],
  listCreditApplications: [
    [{}],
    [{ invoice_id: 1 }, "credit_applications_of_invoice"],
    ...created("credit_applications_created"),
  ],
  listCreditNoteApplications: [[{}, "credit_applications_of_note"]],
  listSettlements: [[{}], [{ from }, "settlements_date"], [{ to }, "settlements_date"]],
  listStockMovements: [[{}], [{ product_id: 1 }, "stock_movements_product"]],
  listWorkItems: [
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
  ],
  startBooking: [[places]],
};

const CHANGES = "SEARCH record_changes USING PRIMARY KEY (resource=? AND (number,record_id)>";
const BY_CHANGE = [{ sort: "updated" }, { updated_since: 1 }, { sort: "updated", q: "meera" }].map(
  (query) => [query, CHANGES] as const,
);
/** By what each list that goes by the order of changes is narrowed besides, and the index of it. */
const NARROWED: Record<string, Queries> = {
  listCustomers: [...created("customers_created"), [{ created_from: 1, q: "meera" }, "VIRTUAL TABLE INDEX"]],
  listProducts: [...created("products_created"), [{ created_from: 1, q: "bottle" }, "VIRTUAL TABLE INDEX"]],
  listInvoices: [
    [{ number: "INV/26-27/00001" }, "(invoice_number=?"],
    [{ invoice_date_from: from }, "invoices_date (invoice_date>? AND (invoice_date,created_at)<"],
    [{ customer_id: 1, invoice_date_to: to }, "invoices_customer_date (customer_id=? AND invoice_date>?"],
    [{ invoice_date_from: from, invoice_date_to: to, due_before: to }, "invoices_date"],
    [{ due_before: to }, "invoices_due (due_date>? AND (due_date,created_at)<"],
  ],
  listPayments: [
    [{ number: "PAY/26-27/00001" }, "(payment_number=?"],
    [{ payment_mode_id: 1 }, "payments_mode"],
    [{ payment_date_from: from }, "payments_date (payment_date>? AND (payment_date,created_at)<"],
    [{ payment_date_to: to }, "payments_date"],
  ],
  listCreditNotes: created("credit_notes_created"),
  listRefunds: created("gateway_refunds_created"),
  listOrders: created("sales_orders_created"),
  listBookings: created("bookings_newest"),
  listLeads: created("leads_created"),
  listApplications: created("applications_applied_at"),
  listMessages: created("sqlite_autoindex_messages_1 (id>"),
};

function created(index: string): Queries {
  const ranges = [{ created_from: from }, { created_to: to }, { created_from: 1, created_to: 2_000_000_000 }];
  return ranges.map((query) => [query, index] as const);
}

/** What an operation may do beside: walk through the few rows that it lists, in the order of an index, or sort a handful. */
const MAY: Record<string, RegExp> = {
  listUnits: /^SCAN units USING INDEX sqlite_autoindex_units_1$/,
  listDepartments: /^SCAN departments USING INDEX departments_by_name$/,
  listLocations: /^SCAN locations USING INDEX locations_by_name$/,
  listInstructors: /^SCAN instructors USING INDEX instructors_by_name$/,
  listCourses: /^SCAN products USING INDEX products_courses$/,
  startBooking:
    /^SCAN (?:instructors USING INDEX instructors_by_name|locations USING INDEX locations_by_name|products USING INDEX products_courses)$/,
  getProjectsMeta: /^SCAN work_item_statuses USING INDEX work_item_statuses_by_position$/,
  getDiary: /^SCAN instructors$|FOR ORDER BY$/,
  getNotificationSettings: /FOR ORDER BY$/,
  listAssignees: /^SCAN employees USING INDEX employees_by_name$/,
  // A row for each table that numbers its records.
  followEvents: /^SCAN sqlite_sequence$/,
  // The lines of a note, the refunds of a booking, the overrides of an instructor.
  listCreditNotes: /FOR ORDER BY$/,
  listInvoiceCreditNotes: /FOR ORDER BY$/,
  getCreditNote: /FOR ORDER BY$/,
  getBooking: /FOR ORDER BY$/,
  listOverrides: /FOR ORDER BY$/,
  // The modes of payment, which are few; the entries or lines of one page, and those of a customer's account.
  listUnposted: /^SCAN mode$/,
  listJournalEntries: /FOR ORDER BY$/,
  listDayBook: /FOR ORDER BY$/,
  listCustomerStatement: /FOR ORDER BY$|^SCAN carried$/,
  listAgeing: /FOR ORDER BY$|^SCAN (?:debtor|posted)$/,
  getStatementSummary: /FOR ORDER BY$|^SCAN (?:debtor|posted|aged LEFT-JOIN)$/,
  // It goes through the orders, and sorts what is due.
  listDueRefunds: /^SCAN (?:sales_orders$|gateway_\w+ USING|credit_notes USING)|FOR ORDER BY$/,
};

const asked = reads.filter(({ id, database }) => database === "company" && !OTHERWISE.includes(id));

describe.each(asked)("$id", ({ id, list, path, verb }) => {
  const isPaged = list !== undefined && list !== "all";
  const actor = path.startsWith("/schools/") ? { type: "publishable" } : undefined;
  const narrowed = NARROWED[id] === undefined ? [] : [...NARROWED[id], ...BY_CHANGE];
  const queries: Queries = [...(QUERIES[id] ?? [[{}]]), ...narrowed];
  const cases = queries.map(([query, index = ""]) => ({ query, index }));
  test.each(cases)("%j goes by an index and is not sorted, on any page", async ({ query, index }) => {
    for (const after of isPaged ? [null, [1_790_000_000_000, 40], [to, to, 40]] : [null]) {
      const input = {
        ...(id === "listBookings" && { order: "created" }),
        ...query,
        page: { after, take: 26 },
      };
      const plan = await planOf((ctx) => verb(ctx as never, PATH as never, input as never), actor);
      expectIndexed(plan, MAY[id]);
      expect(plan.filter((step) => step.includes(index))).not.toEqual([]);
    }
  });
});

test.each([{ q: "mia chen" }, { q: "BK-000123", order: "start" }, { outside_hours: true }])(
  "bookings by %j are not looked for among all",
  async (query) => {
    const list = reads.find(({ id }) => id === "listBookings");
    const input = { order: "created", ...query, page: { after: null, take: 26 } };
    const plan = await planOf(async (ctx) => list?.verb(ctx as never, {} as never, input as never));
    const walks =
      "q" in query ? /^SCAN (?:bookings|found|theirs|customers)\b|bookings_newest/ : /^SCAN bookings$/;
    expect(plan.filter((step) => walks.test(step))).toEqual([]);
  },
);

test.each([
  ...["listCustomers", "listProducts", "listInvoices", "listPayments", "listCreditNotes"],
  ...["listLeads", "listOrders", "listBookings", "listWorkItems"],
])("%s by the caller's own id reads the one record that has it", async (id) => {
  const list = reads.find((read) => read.id === id);
  const input = { order: "created", external_id: "own-1", page: { after: null, take: 26 } };
  const plan = await planOf((ctx) => list?.verb(ctx as never, PATH as never, input as never));
  // It sorts that one.
  expectIndexed(plan, /FOR ORDER BY$/);
  expect(plan).toContain("SEARCH external_ids USING PRIMARY KEY (kind=? AND external_id=?)");
  const one =
    /^SEARCH \w+ USING (?:INTEGER PRIMARY KEY \((?:rowid=\?|rowid=\? AND rowid<\?)\)|INDEX sqlite_autoindex_bookings_1 \(id=\?\))/;
  expect(plan.filter((step) => one.test(step))).not.toEqual([]);
});

test("a plan that reads a whole table, or sorts, would be noticed", async () => {
  const scanning = await explain("SELECT id FROM customers WHERE city = 'Mysuru'");
  const sorting = await explain("SELECT id FROM invoices WHERE customer_id = 1 ORDER BY due_date");
  expect(() => expectIndexed(scanning)).toThrow();
  expect(() => expectIndexed(sorting)).toThrow();
});
