import { describe, expect, test } from "vitest";
import { type Answer, randomAddress } from "../../support/http.ts";
import origins from "../../vectors/origins.json" with { type: "json" };
import { book, daysAhead, openSchool, STUDENT } from "../school.ts";

const HOME = "https://book.example.com";
const CORS = "Access-Control-Allow-Origin";
const EXPOSED =
  "Retry-After, X-Ignored-Members, X-Ignored-Parameters, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id";

const school = await openSchool({});
const key = await school.company.publishableKey(...origins.allow_list);

function call(
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return school.company.call(method, `/schools/:company${path}`, {
    key,
    body,
    headers: { Origin: HOME, "CF-Connecting-IP": randomAddress(), ...headers },
  });
}

function expectReadable({ headers }: Pick<Answer, "headers">): void {
  expect(headers.get(CORS)).toBe(HOME);
  expect(headers.get("Access-Control-Expose-Headers")).toBe(EXPOSED);
  expect(headers.get("Vary")).toContain("Origin");
  expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
}

describe("a page of an allowed origin", () => {
  test("can read every refusal", async () => {
    const { instructorId, courseId } = school;
    const at = { booking_date: daysAhead(9), start_time: "10:00" };
    await book(school, at);
    const body = { customer: STUDENT, instructor_id: instructorId, product_id: courseId, ...at };
    const address = randomAddress();
    const flood = await Promise.all(
      Array.from({ length: 125 }, () =>
        call("GET", "/locations", { headers: { "CF-Connecting-IP": address } }),
      ),
    );
    const refusals: Record<number, Answer> = {
      400: await call("POST", "/bookings", { body: "{" }),
      404: await call("GET", `/bookings/bkg_${"a".repeat(26)}`),
      409: await call("POST", "/bookings", { body }),
      422: await call("POST", "/bookings", { body: {} }),
      429: flood.find(({ status }) => status === 429) as Answer,
    };
    for (const [status, answer] of Object.entries(refusals)) {
      expect(answer).toMatchObject({ status: Number(status), body: { success: false } });
      expectReadable(answer);
    }
    expect(refusals[429]?.headers.get("Retry-After")).toMatch(/^[1-9][0-9]*$/);
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
