import { expect, test } from "vitest";
import { newCustomer } from "../features/commerce.ts";
import { openCompany } from "../support/company.ts";

test("the Worker has the clock of the tests, also at another hour by TEST_CLOCK", async () => {
  const company = await openCompany();
  const before = Date.now();
  const created = Date.parse((await newCustomer(company)).created_at);
  expect(created).toBeGreaterThan(before - 2_000);
  expect(created).toBeLessThan(Date.now() + 2_000);
});
