import { describe, expect, test } from "vitest";
import type { Operation } from "#api/operations/operation.ts";
import { appOf } from "../../../src/wiring/areas.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";
import { openCompany, platform, randomSlug } from "../../support/company.ts";
import { ENVIRONMENT } from "../../support/environment.ts";
import { randomAddress, send } from "../../support/http.ts";
import { pathOf } from "../../support/operations.ts";
import { mountedRoutes } from "./mounted-routes.ts";
import { PUBLIC } from "./public-addresses.ts";

/** Matches the paths, concrete or not, that Hono takes for `path`. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`);
}

const BASES = ["/v1", "/api/v1"];
// What is for agents, and the streams that backups are made of and restored from.
const BESIDE = [
  "ALL /mcp",
  ...["GET", "PUT"].map((method) => `${method} /platform/companies/:slug/files/:folder/:id/:name`),
];

const company = await openCompany();

test("every mounted route is an operation of the table, and every operation is mounted under both bases", async () => {
  const line = (base: string) => (operation: { method: string; path: string }) =>
    `${operation.method.toUpperCase()} ${base}${operation.path}`;
  const declared = [
    ...BASES.flatMap((base) => operations.map(line(base))),
    ...platformOperations.map(line("")),
    ...PUBLIC.map(({ route }) => route),
    ...BESIDE,
  ];
  expect((await mountedRoutes()).sort()).toEqual(declared.sort());
});

test("the table names no operation and no address twice", () => {
  const all = [...operations, ...platformOperations];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length);
});

test("every operation under the base addresses is addressed to a company and needs a scope of the list", () => {
  for (const operation of operations) {
    expect(operation.path, operation.id).toMatch(/^\/[a-z-]+\/:company(?:\/|$)/);
    expect(operation.scope, operation.id).not.toBe("platform");
  }
});

/** Whether what stands in an address can be what an operation of another address has there: `units` is no id. */
function takes({ path, params }: Operation, address: string): boolean {
  if (path === address || params === undefined) return true;
  const words = address.split("/");
  const entries = path
    .split("/")
    .flatMap((word, at) => (word.startsWith(":") ? [[word.slice(1), words[at]]] : []));
  return params.safeParse(Object.fromEntries(entries)).success;
}

test.each([...new Set(operations.map(({ path }) => path))])(
  "%s answers 405 with Allow for a method that it does not have, under the one base or the other",
  async (path) => {
    // A fixed word may stand where another address has a parameter: /products/x/units is a /products/x/:id too.
    const here = operations.filter(
      (operation) => operation.path === path || patternOf(operation.path).test(path),
    );
    const [sample = here[0]] = here;
    // An operation that is planned has its own answer.
    const has = new Set(here.filter(({ planned }) => planned).map(({ method }) => method.toUpperCase()));
    const answering = here.filter((operation) => operation.planned !== true && takes(operation, path));
    const allowed = new Set(answering.map(({ method }) => method.toUpperCase()));
    const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
      (one) => !has.has(one) && !allowed.has(one),
    );
    // Its preflights have tests of their own.
    if (path.startsWith("/schools/")) methods.pop();
    for (const [index, method] of methods.entries()) {
      if (sample === undefined) throw new Error("unreachable");
      const answer = await company.call(method, pathOf(sample), { base: BASES[index % 2] ?? "" });
      expect(answer, method).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
      expect(new Set(answer.headers.get("Allow")?.split(", "))).toEqual(allowed);
    }
  },
);

test.each(["/v1/no-such-area/x", "/v2/customers/x", "/customers/x", "/v1", "/v1/customers/x/1/2/3"])(
  "%s is 404 route_not_found",
  async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await send(method, path);
      expect(answer).toMatchObject({ status: 404, body: { code: "route_not_found" } });
    }
  },
);

test("a trailing or double slash is another address", async () => {
  for (const path of ["/customers/:company/", "//customers/:company", "/customers//:company"])
    expect((await company.call("GET", path)).body.code, path).toBe("route_not_found");
});

describe.each(platformOperations)("$id", (operation) => {
  const method = operation.method.toUpperCase();
  const path = operation.path.replace(":slug", "no-such-company");

  test("is for the operator: no token and a wrong one are 401, an API key is no token", async () => {
    const refused = [
      {},
      { Authorization: "Bearer wrong" },
      { Authorization: "test-platform-token" },
      { "X-Client-Id": company.admin.client_id, "X-Client-Secret": company.admin.client_secret ?? "" },
    ];
    for (const headers of refused) {
      const code = "Authorization" in headers ? "invalid_credentials" : "missing_credentials";
      const address = { "CF-Connecting-IP": randomAddress() };
      const answer = await send(method, path, { headers: { ...address, ...headers } });
      expect(answer).toMatchObject({ status: 401, body: { code } });
    }
  });

  test("does not exist where the service has no platform token", async () => {
    for (const PLATFORM_TOKEN of [undefined, ""]) {
      const app = await appOf(path);
      const response = await app.request(path, { method }, { ...ENVIRONMENT, PLATFORM_TOKEN });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "route_not_found" });
    }
  });

  test("is listed by OPTIONS of its address", async () => {
    const answer = await send("OPTIONS", pathOf(operation));
    expect(answer.status).toBe(405);
    expect(answer.headers.get("Allow")?.split(", ")).toContain(method);
  });

  test("is not under the base addresses", async () => {
    const answer = await send(method, `/v1${path}`, {
      headers: { Authorization: "Bearer test-platform-token" },
    });
    expect(answer.body.code).toBe("route_not_found");
  });
});

test("too many wrong platform tokens from one address are 429, others go on", async () => {
  const address = randomAddress();
  const attempt = (from: string) =>
    send("GET", "/platform/companies", { headers: { Authorization: "Bearer x", "CF-Connecting-IP": from } });
  const answers = await Promise.all(Array.from({ length: 40 }, () => attempt(address)));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(30);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(Number(refused[0]?.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  expect((await attempt(randomAddress())).status).toBe(401);
  expect((await platform("GET", `/platform/companies/${randomSlug()}`)).status).toBe(404);
});
