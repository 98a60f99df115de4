import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { must, openCompany, requestCounts } from "../support/company.ts";
import { type built, prepare, reads, writes } from "../support/operations.ts";

type Counts = { company: number; control: number };

/** What one call asks of each database while its key's record is remembered. */
async function countsOf(
  operation: (typeof built)[number],
  headers: Record<string, string> = {},
): Promise<Counts> {
  const company = await openCompany();
  const { method, path, body } = await prepare(company, operation);
  // Remembers the key, and lets the note of its first use be written.
  must(await company.call("GET", "/products/:company/units"), 200);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const before = await requestCounts();
  must(await company.call(method, path, { body, headers }), operation.status);
  const after = await requestCounts();
  const difference = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  return { company: difference(company.slug), control: difference("control") };
}

/** Other tests use the control database meanwhile, which only ever adds: the least of several counts is the call's own. */
async function leastCounts(operation: (typeof built)[number], most: Counts): Promise<Counts> {
  const least = { company: Number.POSITIVE_INFINITY, control: Number.POSITIVE_INFINITY };
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const counts = await countsOf(operation);
    least.company = Math.min(least.company, counts.company);
    least.control = Math.min(least.control, counts.control);
    if (least.company <= most.company && least.control <= most.control) break;
  }
  return least;
}

describe.each(reads)("$id", (operation) => {
  test("makes one request to its database, and none to the other", async () => {
    const one = operation.database === "company" ? { company: 1, control: 0 } : { company: 0, control: 1 };
    expect(await leastCounts(operation, one)).toEqual(one);
  });
});

describe.each(writes)("$id", (operation) => {
  test("makes one or two requests to its database, and none to the other", async () => {
    const own = operation.database;
    const other = own === "company" ? "control" : "company";
    const least = await leastCounts(operation, { company: 2, control: 2, [other]: 0 });
    expect(least[other]).toBe(0);
    expect(least[own]).toBeGreaterThanOrEqual(1);
    expect(least[own]).toBeLessThanOrEqual(2);
  });

  test("makes no more than two with an Idempotency-Key", async () => {
    if (operation.database === "control") return;
    const { company } = await countsOf(operation, { "Idempotency-Key": randomUUID() });
    expect(company).toBeGreaterThanOrEqual(1);
    expect(company).toBeLessThanOrEqual(2);
  });
});

test("a replay makes no more than two requests", async () => {
  const company = await openCompany();
  const call = {
    body: { name: "Meera Traders", state: "Karnataka", pincode: "560001" },
    headers: { "Idempotency-Key": randomUUID() },
  };
  must(await company.call("POST", "/customers/:company", call), 201);
  const before = await company.requests();
  must(await company.call("POST", "/customers/:company", call), 201);
  expect((await company.requests()) - before).toBeLessThanOrEqual(2);
});
