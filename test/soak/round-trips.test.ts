import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { SCOPES } from "#api/operations/scopes.ts";
import {
  clientOf,
  type Key,
  must,
  openCompany,
  requestCounts,
  type TestCompany,
} from "../support/company.ts";
import { type Prepared, reads, writes } from "../support/operations.ts";
import { ownService } from "../support/own-service.ts";
import { requestsAllowed, requestsBeside, statementsOf } from "../support/round-trips.ts";
import { SharedCompanies } from "../support/shared-companies.ts";

// A service of its own: other tests' requests to the control database must not be counted here.
// Without clocks, and without a consumer of the queues: what goes on beside a call would be counted.
const { address: service } = await ownService(["COMPANY_CLOCK", "CONSUMERS"]);

const openHere = () => openCompany({}, service);
const without = new SharedCompanies(openHere);
// A write without a key asks for no more than the first with one.
const KEYS = [
  { companies: without, idempotencyKey: undefined },
  { companies: new SharedCompanies(openHere), idempotencyKey: randomUUID() },
];

/**
 * A key that the isolate has just read, so that it does not read it again while requests are counted; its first use is
 * noted, which is written beside an answer.
 */
async function freshKey(company: TestCompany): Promise<Key> {
  const key = await company.key(...SCOPES);
  must(await company.call("GET", "/products/:company/units", { key }), 200);
  const sql = "SELECT 1 FROM api_keys WHERE client_id = ? AND last_used_at IS NOT NULL";
  const noted = async () =>
    (await clientOf("control", service).execute({ sql, args: [key.client_id] })).rows.length;
  await expect.poll(noted, { timeout: 15_000, interval: 5 }).toBe(1);
  return key;
}

/** What a call asks of each database while its key is remembered, and how many statements it writes. */
async function countsOf(
  company: TestCompany,
  { method, path, body }: Prepared,
  key: Key,
  idempotencyKey?: string,
) {
  // A write on keys makes the isolate forget the company's.
  must(await company.call("GET", "/products/:company/units", { key }), 200);
  const before = await requestCounts(service);
  const written = await statementsWritten(company);
  const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  const { status } = await company.call(method, path, { body, headers, key });
  const after = await requestCounts(service);
  const difference = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  return {
    status,
    company: difference(company.namespace),
    control: difference("control"),
    statements: (await statementsWritten(company)) - written,
  };
}

async function statementsWritten({ namespace }: TestCompany): Promise<number> {
  const { [namespace]: own = 0, control = 0 } = await requestCounts(service, "statements");
  return own + control;
}

describe.each(reads)("$id", (operation) => {
  test("makes one request to its database, and none to the other", async () => {
    const { company, call } = await without.readyFor(operation);
    const key = await freshKey(company);
    const { most } = requestsAllowed(operation);
    const own =
      operation.database === "company" ? { company: most, control: 0 } : { company: 0, control: most };
    const expected = { status: operation.status, ...own, statements: 0 };
    expect(await countsOf(company, call, key)).toEqual(expected);
  });
});

describe.each(writes)("$id", (operation) => {
  const other = operation.database === "company" ? "control" : "company";

  test("writes as many statements as the list says, in two requests to its database at most, and none to the other but of a copy; a retry with its key as well", async () => {
    for (const { companies, idempotencyKey } of KEYS) {
      const { company, call } = await companies.readyFor(operation);
      const key = await freshKey(company);
      for (const attempt of idempotencyKey === undefined ? ["first"] : ["first", "retry"]) {
        const counts = await countsOf(company, call, key, idempotencyKey);
        expect(counts.status).toBe(operation.status);
        if (idempotencyKey === undefined) expect(counts.statements).toBe(statementsOf(operation));
        const beside = requestsBeside(operation);
        if (attempt === "first") expect(counts[other]).toBe(beside);
        else expect(counts[other]).toBeLessThanOrEqual(beside);
        const { least, most } = requestsAllowed(operation);
        expect(counts[operation.database]).toBeGreaterThanOrEqual(least);
        // A retry reads the answer that it gives again.
        expect(counts[operation.database]).toBeLessThanOrEqual(
          attempt === "first" ? most : Math.max(most, 2),
        );
      }
    }
  });
});
