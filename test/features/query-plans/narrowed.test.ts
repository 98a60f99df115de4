import { describe, expect, test } from "vitest";
import { reads } from "../../support/operations.ts";
import { expectIndexed, planOf } from "./plans.ts";

const CHANGES = "SEARCH record_changes USING PRIMARY KEY (resource=? AND (number,record_id)>";
const [from, to] = ["2026-12-01", "2026-12-31"];
type Queries = readonly (readonly [query: object, index: string])[];

/** By what each list is narrowed besides the order of changes, and the index of it. */
const LISTS: Record<string, Queries> = {
  listCustomers: [...created("customers_created"), [{ created_from: 1, q: "meera" }, "VIRTUAL TABLE INDEX"]],
  listProducts: [...created("products_created"), [{ created_from: 1, q: "bottle" }, "VIRTUAL TABLE INDEX"]],
  listInvoices: [
    [{ number: "INV/26-27/00001" }, "(invoice_number=?"],
    [{ invoice_date_from: from }, "invoices_date (invoice_date>? AND (invoice_date,created_at)<"],
    [{ invoice_date_to: to }, "invoices_date"],
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

describe.each(Object.entries(LISTS))("%s", (id, queries) => {
  const list = reads.find((one) => one.id === id);
  const byChange = [{ sort: "updated" }, { updated_since: 1 }, { sort: "updated", q: "meera" }].map(
    (query) => [query, CHANGES] as const,
  );
  test.each([...queries, ...byChange])("by %j goes by %s", async (query, index) => {
    for (const after of [null, [1_790_000_000_000, 40], [to, to, 40]]) {
      const input = { order: "created", ...query, page: { after, take: 26 } };
      const plan = await planOf((ctx) => list?.verb(ctx as never, {} as never, input as never));
      // The lines of a note are put in order.
      expectIndexed(plan, id === "listCreditNotes" ? /FOR ORDER BY$/ : undefined);
      expect(plan.filter((step) => step.includes(index))).not.toEqual([]);
    }
  });
});
