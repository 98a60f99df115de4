import { expect } from "vitest";
import type { Operation } from "#api/operations/operation.ts";
import type { Answer } from "../../support/http.ts";

const REQUEST_ID = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Checks the headers that every reply has, and the body of a refusal. */
export function expectCommonHeaders(answer: Answer, operation?: Operation): void {
  const { status, headers } = answer;
  expect(headers.get("X-Request-Id")).toMatch(REQUEST_ID);
  expect(headers.get("API-Version")).toBe("1.0.0");
  expect(headers.get("Cache-Control")).toBe(operation?.cacheControl ?? "no-store");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Strict-Transport-Security")).toMatch(/^max-age=\d{8}/);
  if (operation?.envelope === "file")
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename="[\w.-]{1,100}"$/);
  else expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  expect(headers.get("Server")).toBeNull();
  if (status >= 400) expectProblem(answer);
}

function expectProblem({ status, headers, body }: Answer): void {
  expect(body).toMatchObject({ success: false, status, request_id: headers.get("X-Request-Id") });
  expect(body).toMatchObject({ title: expect.any(String), message: expect.any(String) });
  expect(body.type.endsWith(`/${body.code}`)).toBe(true);
}

/** Checks the headers that say what is left of so many calls a minute. */
export function expectLimitHeaders({ headers }: Answer, limit = 600): void {
  const reset = headers.get("X-RateLimit-Reset");
  expect(headers.get("X-RateLimit-Limit")).toBe(String(limit));
  expect(headers.get("X-RateLimit-Remaining")).toMatch(/^\d+$/);
  expect(Number(headers.get("X-RateLimit-Remaining"))).toBeLessThan(limit);
  expect(Number(reset)).toBeGreaterThanOrEqual(1);
  expect(Number(reset)).toBeLessThanOrEqual(61);
  expect(headers.get("RateLimit-Policy")).toBe(`"default";q=${limit};w=60`);
  expect(headers.get("RateLimit")).toBe(`"default";r=${headers.get("X-RateLimit-Remaining")};t=${reset}`);
}
