import { describe, expect, test } from "vitest";
import type { Operation } from "#api/operations/operation.ts";
import { operations } from "../../../src/wiring/operations.ts";
import { type Key, openCompany } from "../../support/company.ts";
import { type Answer, randomAddress, send } from "../../support/http.ts";
import { pathOf } from "../../support/operations.ts";
import origins from "../../vectors/origins.json" with { type: "json" };

const HOME = "https://book.example.com";
const CORS = "Access-Control-Allow-Origin";
const bookings = operations.filter(({ keys }) => keys === "any");
const secretOnly = operations.filter(({ keys }) => keys !== "any");
const [locations = operations[0]] = bookings;

const company = await openCompany();
const publishable = await company.publishableKey(...origins.allow_list);

function call(
  operation: Operation | undefined,
  headers: Record<string, string>,
  key: Key | null = publishable,
) {
  if (operation === undefined) throw new Error("The table has no such operation");
  return company.call(operation.method.toUpperCase(), pathOf(operation), {
    key,
    headers: { "CF-Connecting-IP": randomAddress(), ...headers },
  });
}

function expectPassed(answer: Answer): void {
  expect(answer.status).not.toBe(401);
  expect(answer.status).not.toBe(403);
}

test("publishable keys are accepted by Bookings only, which all stand under /schools", () => {
  expect(bookings.map(({ path }) => path).every((path) => path.startsWith("/schools/:company/"))).toBe(true);
  const closed = secretOnly.filter(({ path }) => path.startsWith("/schools/"));
  expect(closed.map(({ id }) => id)).toEqual(["listPackages"]);
});

describe.each(secretOnly)("$id", (operation) => {
  test("refuses a publishable key, from its own origin too, which may read that under /schools only", async () => {
    const answer = await call(operation, { Origin: HOME });
    expect(answer).toMatchObject({ status: 401, body: { code: "secret_key_required" } });
    expect(answer.headers.get(CORS)).toBe(operation.path.startsWith("/schools/") ? HOME : null);
  });
});

test.each([
  ["GET", "/nothing-here", 404],
  ["DELETE", "/locations", 405],
  ["GET", "/bookings/bkg_none/nothing", 404],
])("%s %s under /schools is %i, which a page of the company may read", async (method, path, status) => {
  for (const base of ["/v1", "/api/v1"]) {
    const from = (Origin: string) =>
      send(method, `${base}/schools/${company.slug}${path}`, { headers: { Origin } });
    const answer = await from(HOME);
    expect(answer.status).toBe(status);
    expect(answer.headers.get(CORS)).toBe(HOME);
    expect((await from("https://evil.example")).headers.get(CORS)).toBeNull();
  }
});

describe.each(bookings)("$id", (operation) => {
  const path = `/v1${pathOf(operation)}`.replace(":company", company.slug);

  test("works with a publishable key from an allowed origin, which may read the reply", async () => {
    const answer = await call(operation, { Origin: HOME });
    expectPassed(answer);
    expect(answer.headers.get(CORS)).toBe(HOME);
    expect(answer.headers.get("Vary")).toContain("Origin");
    expect(answer.headers.get("Access-Control-Expose-Headers")).toBe(
      "Retry-After, X-Ignored-Members, X-Ignored-Parameters, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id",
    );
    expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
  });

  test("ignores a secret sent beside a publishable key", async () => {
    expectPassed(await call(operation, { Origin: HOME, "X-Client-Secret": "sk_wrong" }));
  });

  test("refuses a publishable key from any other origin with 403, unreadable there", async () => {
    for (const origin of ["https://evil.example", "null", ...origins.refused]) {
      const answer = await call(operation, { Origin: origin, Referer: `${HOME}/page` });
      expect(answer, origin).toMatchObject({ status: 403, body: { code: "origin_not_allowed" } });
      expect(answer.headers.get(CORS), origin).toBeNull();
    }
    expect((await call(operation, {})).body.code).toBe("origin_not_allowed");
  });

  test("takes the Referer's origin where there is no Origin", async () => {
    const answer = await call(operation, { Referer: `${HOME}/lessons?x=1` });
    expectPassed(answer);
    for (const referer of [...origins.referers_refused, "not an address"])
      expect((await call(operation, { Referer: referer })).status, referer).toBe(403);
  });

  test("takes a secret key with its scope, sent with an Origin too", async () => {
    const key = await company.key(operation.scope);
    expectPassed(await call(operation, { Origin: "https://proxy.example" }, key));
  });

  test("answers CORS on every refusal that a page of the company can meet", async () => {
    const none = await send(operation.method.toUpperCase(), path, { headers: { Origin: HOME } });
    const unknown = { client_id: `pk_${"0".repeat(22)}`, client_secret: null };
    const wrong = await call(operation, { Origin: HOME }, unknown);
    for (const answer of [none, wrong]) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get(CORS)).toBe(HOME);
    }
  });

  test("preflights are answered by the origins of the company's keys", async () => {
    const ask = { Origin: HOME, "Access-Control-Request-Method": "GET" };
    const allowed = await send("OPTIONS", path, { headers: ask });
    expect(allowed.status).toBe(204);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      "access-control-allow-origin": HOME,
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": "X-Client-Id, Content-Type, Idempotency-Key, X-Visitor",
      "access-control-max-age": "7200",
      vary: "Origin, Access-Control-Request-Headers",
    });
    const elsewhere = path.replace(company.slug, "no-such-company");
    for (const [place, origin] of [
      [path, "https://evil.example"],
      [elsewhere, HOME],
    ] as const) {
      const refused = await send("OPTIONS", place, { headers: { ...ask, Origin: origin } });
      expect(refused.status).toBe(204);
      expect(refused.headers.get(CORS)).toBeNull();
    }
  });
});

test("the vectors' allowed origins are allowed in any notation a browser sends", async () => {
  for (const origin of origins.allowed)
    expect((await call(locations, { Origin: origin })).status, origin).toBe(200);
});

test("a publishable key has 1 to 20 origins, when it is made and when it is changed", async () => {
  const keys = "/settings/:company/keys";
  const many = (count: number) => Array.from({ length: count }, (_, at) => `https://a${at}.example.com`);
  const make = (fields: object) =>
    company.call("POST", keys, { body: { name: "Page", type: "publishable", ...fields } });
  for (const fields of [{}, { allowed_origins: [] }, { allowed_origins: many(21) }]) {
    const answer = await make(fields);
    expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(answer.body.errors.map(({ field }) => field)).toEqual(["allowed_origins"]);
  }
  expect((await make({ allowed_origins: many(20) })).status).toBe(201);
  const path = `${keys}/${publishable.client_id}`;
  expect((await company.call("PATCH", path, { body: { allowed_origins: [] } })).status).toBe(422);
  expect((await company.call("PATCH", path, { body: { name: "Renamed" } })).status).toBe(200);
});

test("outside Bookings a preflight gets no CORS header", async () => {
  const headers = { Origin: HOME, "Access-Control-Request-Method": "GET" };
  const answer = await send("OPTIONS", `/v1/invoices/${company.slug}`, { headers });
  expect(answer.headers.get(CORS)).toBeNull();
  expect(answer.status).toBe(405);
});
