import { describe, expect, test } from "vitest";
import { problemsOf } from "#api/openapi/replies.ts";
import type { Operation } from "#api/operations/operation.ts";
import { newClientSecret } from "#tenancy/keys/key-format.ts";
import { operations } from "../../src/wiring/operations.ts";
import { expectCommonHeaders } from "../api/contract/headers.ts";
import { refusal } from "../features/refusal.ts";
import { credentials, type Key, openCompany } from "../support/company.ts";
import { type Answer, randomAddress, sendAsWritten } from "../support/http.ts";
import { inTurn } from "../support/in-turn.ts";
import { pathOf } from "../support/operations.ts";

const MALFORMED_SLUGS = [
  "acme%2Fother",
  "%00",
  "%2e%2e%2f",
  "UPPER",
  "-a",
  "a",
  "a".repeat(64),
  "caf%C3%A9",
  "%zz",
];
const UNKNOWN: Key = { client_id: `ck_${"0".repeat(22)}`, client_secret: newClientSecret() };
const [company, other] = await Promise.all([openCompany(), openCompany()]);

/** One call from an address of its own, so that failures of many tests are not counted as one client's. */
async function call(operation: Operation, key: Key | null, path = pathOf(operation)): Promise<Answer> {
  const headers = { "CF-Connecting-IP": randomAddress() };
  const answer = await company.call(operation.method.toUpperCase(), path, { key, headers });
  if (answer.status >= 400) expect(problemsOf(operation)).toContain(answer.body.code);
  expectCommonHeaders(answer);
  return answer;
}

/** What all of these answers say, each in the same words. */
function oneOf(answers: Answer[]): object | undefined {
  const bodies = answers.map(({ status, body }) => ({ status, ...body, request_id: "" }));
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  return bodies[0];
}

describe.each(operations)("$id", (operation) => {
  test("without credentials is 401 missing_credentials", async () => {
    expect(await call(operation, null)).toMatchObject({ status: 401, body: { code: "missing_credentials" } });
    const noSecret = { ...company.admin, client_secret: null };
    expect(await call(operation, noSecret)).toMatchObject(refusal(401, "missing_credentials"));
  });

  test("answers 401 in the same words whatever part of the credentials is wrong", async () => {
    const secret = company.admin.client_secret ?? "";
    const others: Key[] = [
      { ...company.admin, client_secret: `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}` },
      { ...company.admin, client_secret: "" },
      { ...company.admin, client_id: UNKNOWN.client_id },
      { ...company.admin, client_id: "ck_short" },
      UNKNOWN,
    ];
    const wrong: Key[] = [
      { ...company.admin, client_secret: newClientSecret() },
      { ...company.admin, client_id: other.admin.client_id },
      ...inTurn(operation, others, 1),
    ];
    const one = oneOf(await Promise.all(wrong.map((key) => call(operation, key))));
    expect(one).toMatchObject({ status: 401, code: "invalid_credentials", success: false });
  });

  test("answers a key of another company, an unknown and a malformed slug with one and the same 404", async () => {
    const path = (slug: string) => pathOf(operation).replace(":company", slug);
    const before = await other.requests();
    const slugs = [other.slug, "no-such-company", ...inTurn(operation, MALFORMED_SLUGS, 2)];
    const one = oneOf(await Promise.all(slugs.map((slug) => call(operation, company.admin, path(slug)))));
    expect(one).toMatchObject({ status: 404, code: "company_not_found" });
    expect(await other.requests()).toBe(before);
  });

  test("a slug of .. reaches no operation", async () => {
    for (const slug of inTurn(operation, ["..", "%2e%2e", "../../etc"], 1)) {
      const path = `/v1${pathOf(operation)}`.replace(":company", slug);
      const answer = await sendAsWritten(operation.method.toUpperCase(), path, credentials(company.admin));
      expect([404, 405]).toContain(answer.status);
    }
  });
});

test("a failed call opens neither company's database", async () => {
  const [stranger, powerless] = [await openCompany(), await company.key()];
  const before = await Promise.all([company.requests(), stranger.requests()]);
  for (const operation of operations) {
    await call(operation, null);
    await call(operation, UNKNOWN);
    expect(await call(operation, powerless)).toMatchObject({ body: { code: "insufficient_scope" } });
    await call(operation, stranger.admin);
  }
  expect(await Promise.all([company.requests(), stranger.requests()])).toEqual(before);
});

test("a suspended company answers every operation 403, and no other company's", async () => {
  const closed = await openCompany();
  await closed.patch({ status: "suspended" });
  for (const operation of operations) {
    const answer = await closed.call(operation.method.toUpperCase(), pathOf(operation));
    expect(answer).toMatchObject({ status: 403, body: { code: "company_suspended" } });
  }
  await closed.patch({ status: "active" });
  expect((await closed.call("GET", "/customers/:company")).status).toBe(200);
});
