import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { takesIdempotencyKey } from "#api/openapi/replies.ts";
import { mayBeKept, type Operation } from "#api/operations/operation.ts";
import { expectEvents } from "../../features/events/events-of-operations.ts";
import { controlRows, openCompany, type TestCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";
import { built, type Prepared, reads, recordIn, writes } from "../../support/operations.ts";
import { expectSound } from "../../support/oracles.ts";
import { faultsOfAnswer } from "../../support/published.ts";
import { sends, untilQuiet } from "../../support/round-trips.ts";
import { SharedCompanies } from "../../support/shared-companies.ts";
import { expectCommonHeaders, expectLimitHeaders } from "./headers.ts";

/** A company whose events send no message: it would come between two reads that are to be alike. */
async function openQuiet(): Promise<TestCompany> {
  const company = await openCompany();
  await company.rows("UPDATE notification_rules SET email = 0, sms = 0, chatapp = 0");
  return company;
}

const companies = new SharedCompanies(openQuiet, { readers: 40, writers: 16 });
const written = new Set<TestCompany>();
// An erasure would take what other operations know of its person. Where another connected a gateway, a booking is held.
const ALONE = ["createErasure", "createBooking", "payBooking"];

describe.each(built)("$id", (operation) => {
  let company: TestCompany;
  let call: Prepared;
  let first: Answer;
  let again: Answer;
  const headers = { "Idempotency-Key": randomUUID(), "X-Request-Id": "mine" };
  const isWrite = operation.method !== "get";
  const isRemembered = isWrite && operation.idempotent !== false;

  beforeAll(async () => {
    ({ company, call } = await (ALONE.includes(operation.id)
      ? companies.openAlone(operation)
      : companies.readyFor(operation)));
    if (isWrite) written.add(company);
    const { method, path, body } = call;
    first = await company.call(method, path, { body, headers });
    again = await company.call(method, path, { body, headers, base: "/api/v1" });
  });

  test("answers its example with its status and all headers", () => {
    expect(first.status, first.text).toBe(operation.status);
    expect(first.headers.get("Idempotent-Replayed")).toBeNull();
    expectLimitHeaders(first, sends(operation) ? 30 : 600);
    expectCommonHeaders(first, operation);
  });

  if (operation.envelope !== "file")
    test("answers in its envelope and its schema", () => {
      const record = recordIn(operation, first);
      const records = operation.list === undefined ? [record] : (record as unknown[]);
      for (const one of records) expect(operation.result.parse(one)).toEqual(one);
      const { method, path, status } = operation;
      expect(faultsOfAnswer(path, method, status, first.body)).toEqual([]);
      expect(first.body.success).toBe(operation.envelope === "data" ? undefined : true);
      if (typeof operation.list === "function")
        expect(first.body.paging.has_more).toBe(first.body.paging.next_cursor !== null);
      else expect(first.body.paging).toBeUndefined();
    });

  test("answers under the other base address: a write from memory, a read once more", async () => {
    expect(again.status).toBe(operation.status);
    expect(again.headers.get("Idempotent-Replayed")).toBe(isRemembered ? "true" : null);
    if (isRemembered) expect(withoutTime(again.text)).toBe(withoutTime(first.text));
    expect(await auditOf(company, operation, again)).toHaveLength(isWrite && !isRemembered ? 1 : 0);
  });

  if (!isWrite)
    test("reads the same under both base addresses", async () => {
      if (withoutTime(again.text) === withoutTime(first.text)) return;
      const { method, path } = call;
      const texts = async () => {
        const answers = ["/v1", "/api/v1"].map((base) => company.call(method, path, { headers, base }));
        return (await Promise.all(answers)).map(({ text }) => withoutTime(text));
      };
      // What goes on beside the reads, as a message's dispatch, comes to its end.
      await vi.waitFor(async () => expect(new Set(await texts()).size).toBe(1), { timeout: 15_000 });
    });

  test("leaves one row in the audit log where it writes", async () => {
    const row = { actor: company.admin.client_id, action: operation.id, record: expect.any(String) };
    expect(await auditOf(company, operation, first)).toEqual(isWrite ? [row] : []);
    expect(takesIdempotencyKey(operation)).toBe(isRemembered);
  });

  if (isWrite && operation.database === "company")
    test("leaves the events of its changes, each with its record, its actor and its request", () =>
      expectEvents(company, operation, first));

  if (isRemembered && operation.body !== undefined)
    test("keeps a key that takes no other body", async () => {
      const { method, path, body } = call;
      const reused = await company.call(method, path, { body: changed(operation, body), headers });
      expect(reused).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
    });
});

/** A key's first call writes, beside its reply, when it was used; a second may begin between two reads; visitors differ. */
function withoutTime(text: string): string {
  return text
    .replace(/"visitor":"[^"]+"/g, '"visitor":null')
    .replace(/"last_used_at":"[^"]+"/g, '"last_used_at":null')
    .replace(/("time_in_current_state_seconds":)\d+/g, "$10");
}

test("every company is sound after all writes", async () => {
  expect(written.size).toBeGreaterThan(1);
  for (const company of written) await expectSound(company);
});

test("every write but checkout takes an Idempotency-Key", () => {
  expect(writes.filter(({ idempotent }) => idempotent === false).map(({ id }) => id)).toEqual(["checkout"]);
});

// Each read is asked in one of the notations, in turn.
const NOTATIONS = [
  (tag: string) => tag,
  (tag: string) => `W/${tag}`,
  (tag: string) => `"other", ${tag}`,
  () => "*",
];
const kept = reads.filter(mayBeKept);

describe.each(kept)("$id", (operation) => {
  test("answers 304 without a body to a client that has the same, until it changes", async () => {
    const { company, call } = await companies.readyFor(operation);
    await untilQuiet(company);
    const { method, path } = call;
    const first = await company.call(method, path);
    const tag = first.headers.get("ETag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(first.headers.get("Vary")).toBe("Origin, X-Client-Id");
    const known = NOTATIONS[kept.indexOf(operation) % NOTATIONS.length]?.(tag) ?? "";
    const again = await company.call(method, path, { headers: { "If-None-Match": known } });
    expect(again).toMatchObject({ status: 304, text: "" });
    expect(again.headers.get("ETag")).toBe(tag);
    expect(again.headers.get("X-RateLimit-Limit")).toBe("600");
    const other = await company.call(method, path, { headers: { "If-None-Match": '"other"' } });
    expect(other).toMatchObject({ status: 200, text: first.text });
  });
});

// Calls that give money back take no member that they do not have.
const TEXTS: Record<string, string> = {
  createRefund: "reason_text",
  retryRefund: "note",
  dismissRefundReport: "note",
  dismissRefundReview: "note",
  createCreditNote: "reason_text",
  resolveOrder: "note",
  settleCapture: "outside_reference",
  cancelStaffBooking: "reason",
};

/** Another body that the operation takes. */
function changed({ id }: Operation, body: unknown): unknown {
  const text = TEXTS[id];
  if (text !== undefined) return { ...Object(body), [text]: "Another" };
  if (!(body instanceof FormData)) return { ...Object(body), extra: 1 };
  body.append("extra", "1");
  return body;
}

function auditOf(company: TestCompany, operation: Operation, answer: Answer) {
  const sql = "SELECT actor, action, record FROM audit_log WHERE request_id = ?";
  const id = answer.headers.get("X-Request-Id");
  return operation.database === "control" ? controlRows(sql, id) : company.rows(sql, id);
}

test("errors are application/problem+json for a client that asks for it", async () => {
  const company = await openCompany();
  const headers = { Accept: "application/problem+json, application/json" };
  const answer = await company.call("GET", "/customers/:company/1", { headers });
  expect(answer.status).toBe(404);
  expect(answer.headers.get("Content-Type")).toBe("application/problem+json; charset=utf-8");
});
