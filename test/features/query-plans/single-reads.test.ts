import { expect, test } from "vitest";
import type { Ctx } from "#core/context.ts";
import { getCustomer as readCustomer } from "../../../src/features/customers/read.ts";
import { getInvoice as readInvoice } from "../../../src/features/invoices/invoices/read.ts";
import { getMessage } from "../../../src/features/messaging/messages/get-message.ts";
import { findToPay } from "../../../src/features/payments/online/find-payable.ts";
import { getBurndown } from "../../../src/features/projects/sprints/burndown.ts";
import { getWorkItem } from "../../../src/features/projects/work-items/read.ts";
import { getApplication } from "../../../src/features/recruitment/applications/applications.ts";
import { getJob } from "../../../src/features/recruitment/jobs/open-jobs.ts";
import { getCatalogueProduct } from "../../../src/features/storefront/catalogue/catalogue.ts";
import { getListedOrder } from "../../../src/features/storefront/orders/list.ts";
import { getOrder as readOrder } from "../../../src/features/storefront/orders/shop-order.ts";
import { expectIndexed, explain, planOf, readOf } from "./plans.ts";

test.each([
  ["a customer", (ctx: Ctx) => readCustomer(ctx, { id: 1 })],
  ["an invoice", (ctx: Ctx) => readInvoice(ctx, { id: 1 })],
  ["a message", (ctx: Ctx) => getMessage(ctx, { id: "msg_1" })],
  ["a location", readOf("getLocation", { id: 1 })],
  ["a product of the catalogue", (ctx: Ctx) => getCatalogueProduct(ctx, { productId: 1 })],
  ["an order", (ctx: Ctx) => readOrder(ctx, { orderId: 1 })],
  ["an order with its payments", (ctx: Ctx) => getListedOrder(ctx, { id: 1 })],
  ["a work item with its history", (ctx: Ctx) => getWorkItem(ctx, { project_id: 1, id: 1 })],
  ["a sprint", readOf("getSprint", { project_id: 1, id: 1 })],
  ["a burn-down", (ctx: Ctx) => getBurndown(ctx, { project_id: 1, id: 1 }, {})],
  ["an open job", (ctx: Ctx) => getJob(ctx, { slug: "welder" })],
  ["an application", (ctx: Ctx) => getApplication(ctx, { id: 1 })],
])("the single read of %s goes by an index", async (_what, verb) => {
  expectIndexed(await planOf(verb));
});

test("the read of an invoice to pay goes by an index, but for the profile and the few gateways", async () => {
  const plan = await planOf((ctx) => findToPay(ctx, "token"));
  const small = /^SCAN (?:profile|gateway_accounts USING INDEX gateway_accounts_active)$/;
  expectIndexed(plan.filter((step) => !small.test(step)));
  expect(plan.join()).toContain("gateway_captures USING INDEX gateway_captures_intent (intent_id=?)");
});

test("a plan that reads a whole table, or sorts, would be noticed", async () => {
  const scanning = await explain("SELECT id FROM customers WHERE city = 'Mysuru'");
  const sorting = await explain("SELECT id FROM invoices WHERE customer_id = 1 ORDER BY due_date");
  expect(() => expectIndexed(scanning)).toThrow();
  expect(() => expectIndexed(sorting)).toThrow();
});
