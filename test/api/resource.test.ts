import { expect, test } from "vitest";
import { resourceOf } from "#api/resource-name.ts";

test.each([
  ["/invoices/:company/:id", "invoice"],
  ["/invoices/:company/:id/void", "invoice"],
  ["/projects/:company/projects/:project_id/work-items/:id/comments", "work_item"],
  ["/projects/:company/projects/:project_id/milestones", "project"],
  ["/settings/:company/categories/:id", "category"],
  ["/settings/:company/work-item-statuses/:id", "work_item_status"],
  ["/settings/:company/keys/:client_id/rotate", "key"],
  ["/storefront/:company/order/:order_id", "order"],
  ["/settings/:company/instructors/:id/schedule", "instructor"],
  ["/settings/:company/lead-sources/:id", "lead_source"],
  ["/platform/companies/:slug", "company"],
  ["/invoices/:company", undefined],
])("what is not there at %s is called %s", (path, resource) => {
  expect(resourceOf(path)).toBe(resource);
});
