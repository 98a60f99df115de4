import { describe, expect, test } from "vitest";
import { listWorkItems } from "../../../src/features/projects/work-items/read.ts";
import type { WorkItemQuery } from "../../../src/features/projects/work-items/schema.ts";
import { listOrders } from "../../../src/features/storefront/orders/list.ts";
import type { OrderQuery } from "../../../src/features/storefront/orders/staff-schema.ts";
import { expectIndexed, PROJECT, pages, planOf, posted } from "./plans.ts";

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
  [{ refund_status: "partial" }, "sales_orders_refund_status"],
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
