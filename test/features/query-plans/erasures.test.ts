import { expect, test } from "vitest";
import type { Ctx } from "#core/context.ts";
import { eraseOldAuditRows } from "#core/write/audit-retention.ts";
import { eraseAbandonedPayments } from "../../../src/features/gateway-payments/events/erase-abandoned.ts";
import { eraseAbandonedOrders } from "../../../src/features/storefront/orders/erase-abandoned.ts";
import { planOf } from "./plans.ts";

test.each([
  ["orders", "sales_orders_payment_status", (ctx: Ctx) => eraseAbandonedOrders(ctx)],
  ["failed intents", "payment_intents_failed", (ctx: Ctx) => eraseAbandonedPayments(ctx)],
  ["stray events", "gateway_events_stray", (ctx: Ctx) => eraseAbandonedPayments(ctx)],
])("the erasure of %s goes by the index %s and sorts nothing", async (_what, index, erase) => {
  const plan = await planOf(erase);
  expect(plan.some((step) => step.includes(`INDEX ${index} `))).toBe(true);
  expect(plan.filter((step) => /^SCAN (?!one|old)|TEMP B-TREE/.test(step))).toEqual([]);
});

test("the erasure of the audit log reads its first rows by their ids", async () => {
  const plan = await planOf(eraseOldAuditRows);
  expect(
    plan.filter((step) => /^SCAN (?!oldest|audit_log$|audit_cut|\(subquery|CONSTANT)|TEMP B-TREE/.test(step)),
  ).toEqual([]);
});
