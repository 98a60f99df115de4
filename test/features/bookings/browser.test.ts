import { describe, expect, test } from "vitest";
import { type Answer, randomAddress } from "../../support/http.ts";
import origins from "../../vectors/origins.json" with { type: "json" };
import { tally, times } from "../money.ts";
import { openSchool } from "../school.ts";

const HOME = "https://book.example.com";
const CORS = "Access-Control-Allow-Origin";
const EXPOSED =
  "Retry-After, X-Ignored-Members, X-Ignored-Parameters, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id";

const school = await openSchool({});
const key = await school.company.publishableKey(...origins.allow_list);

function expectReadable({ headers }: Pick<Answer, "headers">): void {
  expect(headers.get(CORS)).toBe(HOME);
  expect(headers.get("Access-Control-Expose-Headers")).toBe(EXPOSED);
  expect(headers.get("Vary")).toContain("Origin");
  expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
}

describe("a page of an allowed origin", () => {
  test("can read that it calls too often", async () => {
    const headers = { Origin: HOME, "CF-Connecting-IP": randomAddress() };
    const call = () => school.company.call("GET", "/schools/:company/locations", { key, headers });
    const answers = await times(125, call);
    expect(tally(answers)).toEqual({ 200: 120, 429: 5 });
    const refused = answers.find(({ status }) => status === 429) as Answer;
    expect(refused).toMatchObject({ status: 429, body: { success: false } });
    expectReadable(refused);
    expect(refused.headers.get("X-RateLimit-Limit")).toBe("120");
    expect(refused.headers.get("Retry-After")).toMatch(/^[1-9][0-9]*$/);
  });

  test("can read a fault of the service", async () => {
    const own = await openSchool({});
    const pageKey = await own.company.publishableKey(HOME);
    await own.company.faults({ kind: "error", code: "SQLITE_ERROR" });
    const answer = await own.company.call("GET", "/schools/:company/locations", {
      key: pageKey,
      headers: { Origin: HOME },
    });
    await own.company.faults();
    expect(answer).toMatchObject({ status: 500, body: { success: false, code: "internal_error" } });
    expectReadable(answer);
  });
});
