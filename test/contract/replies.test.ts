import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { takesIdempotencyKey } from "#http/openapi-replies.ts";
import type { Operation } from "#http/operation.ts";
import { operations } from "../../src/operations.ts";
import { clientOf, openCompany, type TestCompany } from "../support/company.ts";
import type { Answer } from "../support/http.ts";
import { built, callWithExample, pathOf, prepare, reads, recordIn, writes } from "../support/operations.ts";
import { expectSound } from "../support/oracles.ts";

const REQUEST_ID = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;

function expectCommonHeaders({ status, headers, body }: Answer, cacheControl = "no-store"): void {
  expect(headers.get("X-Request-Id")).toMatch(REQUEST_ID);
  expect(headers.get("API-Version")).toBe("1.0.0");
  expect(headers.get("Cache-Control")).toBe(cacheControl);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Strict-Transport-Security")).toMatch(/^max-age=\d{8}/);
  expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  expect(headers.get("Server")).toBeNull();
  if (status < 400) return;
  expect(body).toMatchObject({ success: false, status, request_id: headers.get("X-Request-Id") });
  expect(body).toMatchObject({ title: expect.any(String), message: expect.any(String) });
  expect(body.type.endsWith(`/${body.code}`)).toBe(true);
}

function expectLimitHeaders({ headers }: Answer): void {
  const reset = headers.get("X-RateLimit-Reset");
  expect(headers.get("X-RateLimit-Limit")).toBe("600");
  expect(headers.get("X-RateLimit-Remaining")).toMatch(/^[0-5]\d\d$|^\d\d?$/);
  expect(Number(reset)).toBeGreaterThanOrEqual(1);
  expect(Number(reset)).toBeLessThanOrEqual(61);
  expect(headers.get("RateLimit-Policy")).toBe('"default";q=600;w=60');
  expect(headers.get("RateLimit")).toBe(`"default";r=${headers.get("X-RateLimit-Remaining")};t=${reset}`);
}

describe.each(built)("$id", (operation) => {
  test("answers its example with its status, its envelope and its schema, and all headers", async () => {
    const company = await openCompany();
    const answer = await callWithExample(company, operation, { headers: { "X-Request-Id": "mine" } });
    expect(answer.status, answer.text).toBe(operation.status);
    expectCommonHeaders(answer, operation.cacheControl);
    expectLimitHeaders(answer);

    const record = recordIn(operation, answer);
    const records = operation.list === undefined ? [record] : (record as unknown[]);
    for (const one of records) expect(operation.result.parse(one)).toEqual(one);
    expect(answer.body.success).toBe(operation.envelope === "data" ? undefined : true);
    if (typeof operation.list === "function")
      expect(answer.body.paging.has_more).toBe(answer.body.paging.next_cursor !== null);
    else expect(answer.body.paging).toBeUndefined();
    await expectSound(company);
  });
});

describe.each(reads)("$id", (operation) => {
  test("answers alike under both base addresses", async () => {
    const company = await openCompany();
    const { method, path } = await prepare(company, operation);
    const one = await company.call(method, path);
    const other = await company.call(method, path, { base: "/api/v1" });
    expect(one.status).toBe(operation.status);
    expect(other.status).toBe(operation.status);
    expect(withoutLastUse(other.text)).toBe(withoutLastUse(one.text));
  });
});

/** A key's first call writes, beside its reply, when it was used. */
function withoutLastUse(text: string): string {
  return text.replace(/"last_used_at":"[^"]+"/g, '"last_used_at":null');
}

describe.each(writes)("$id", (operation) => {
  test("leaves one row in the audit log: who, what, which record, in which request", async () => {
    const company = await openCompany();
    const answer = await callWithExample(company, operation);
    const rows = await auditOf(company, operation, answer);
    expect(rows).toEqual([
      { actor: company.admin.client_id, action: operation.id, record: expect.any(String) },
    ]);
  });

  test("gives a retry with its Idempotency-Key the first answer, under the other base address too", async () => {
    expect(takesIdempotencyKey(operation)).toBe(true);
    const company = await openCompany();
    const { method, path, body } = await prepare(company, operation);
    const headers = { "Idempotency-Key": randomUUID() };
    const first = await company.call(method, path, { body, headers });
    const retry = await company.call(method, path, { body, headers, base: "/api/v1" });
    expect(first.status, first.text).toBe(operation.status);
    expect(first.headers.get("Idempotent-Replayed")).toBeNull();
    expect(retry).toMatchObject({ status: first.status, text: first.text });
    expect(retry.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await auditOf(company, operation, retry)).toEqual([]);
    if (operation.body === undefined) return;
    const reused = await company.call(method, path, { body: { ...Object(body), extra: 1 }, headers });
    expect(reused).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
  });
});

async function auditOf(company: TestCompany, operation: Operation, answer: Answer) {
  const database = operation.database === "control" ? clientOf("control") : company.database();
  const { rows } = await database.execute({
    sql: "SELECT actor, action, record FROM audit_log WHERE request_id = ?",
    args: [answer.headers.get("X-Request-Id")],
  });
  return rows.map(({ actor, action, record }) => ({ actor, action, record }));
}

test("every refusal carries the common headers, and the limits where the key is known", async () => {
  const company = await openCompany();
  for (const operation of operations) {
    const method = operation.method.toUpperCase();
    expectCommonHeaders(await company.call(method, pathOf(operation), { key: null }));
    const refused = await company.call(method, pathOf(operation), { key: await company.key() });
    expect(refused.status).toBe(403);
    expectCommonHeaders(refused);
    expectLimitHeaders(refused);
  }
  expectCommonHeaders(await company.call("GET", "/no/such/address"));
});

test("errors are application/problem+json for a client that asks for it", async () => {
  const company = await openCompany();
  const headers = { Accept: "application/problem+json, application/json" };
  const answer = await company.call("GET", "/customers/:company/1", { headers });
  expect(answer.status).toBe(404);
  expect(answer.headers.get("Content-Type")).toBe("application/problem+json; charset=utf-8");
});
