import { describe, expect, test } from "vitest";
import { type Answer, randomAddress, send } from "../../support/http.ts";
import origins from "../../vectors/origins.json" with { type: "json" };
import { refusal } from "../refusal.ts";
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
  test("goes from the list to a booking with a publishable key alone", async () => {
    const at = { booking_date: daysAhead(7), start_time: "10:00" };
    const { instructorId, courseId } = school;
    const seen: Answer[] = [];
    for (const path of [
      "/settings",
      "/locations",
      "/instructors?with_next=true",
      "/courses?type=lesson",
      "/instructor-fields",
      `/availability/dates?instructor_id=${instructorId}&from=${daysAhead(7)}&to=${daysAhead(8)}`,
      `/availability?instructor_id=${instructorId}&date=${daysAhead(7)}`,
    ])
      seen.push(await call("GET", path));
    const body = { customer: STUDENT, instructor_id: instructorId, product_id: courseId, ...at };
    const made = await call("POST", "/bookings", { body });
    const { id } = JSON.parse(made.text).booking;
    seen.push(made, await call("GET", `/bookings/${id}`));
    seen.push(await call("POST", `/bookings/${id}/reschedule`, { body: { ...at, start_time: "12:00" } }));
    seen.push(await call("POST", `/bookings/${id}/cancel`, { body: {} }));
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 201, 200, 200, 200]);
    for (const answer of seen) expectReadable(answer);
  });

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

  test("learns nothing of a wrong origin's 403, which carries no CORS header", async () => {
    for (const origin of origins.refused) {
      const answer = await call("GET", "/locations", { headers: { Origin: origin } });
      expect(answer, origin).toMatchObject({ status: 403, body: { code: "origin_not_allowed" } });
      expect(answer.headers.get(CORS), origin).toBeNull();
    }
  });

  test("cannot list packages", async () => {
    expect(await call("GET", "/packages?customer_email=mia@example.com")).toMatchObject(
      refusal(401, "secret_key_required"),
    );
  });

  test("sends a preflight first, whose answer is valid for two hours", async () => {
    const path = `/v1/schools/${school.company.slug}/bookings`;
    const headers = {
      Origin: HOME,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type,idempotency-key,x-client-id",
    };
    const answer = await send("OPTIONS", path, { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("Access-Control-Allow-Methods")).toBe("GET, POST, OPTIONS");
    const allowed = answer.headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(", ");
    for (const name of ["content-type", "idempotency-key", "x-client-id"]) expect(allowed).toContain(name);
    expect(allowed).not.toContain("x-client-secret");
    expect(answer.headers.get("Access-Control-Max-Age")).toBe("7200");
  });
});
