import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { loggedPath } from "#api/request-log.ts";
import { appOf } from "../../../src/wiring/areas.ts";
import { ENVIRONMENT } from "../../support/environment.ts";
import { announce, randomAddress, send, sendAsWritten } from "../../support/http.ts";
import { mountedRoutes } from "./mounted-routes.ts";
import { PUBLIC } from "./public-addresses.ts";

const TOKEN = "x".repeat(43);
const BOUND_MS = 3_000;
const AT_ONCE = 20;
const WRONG_KEY = {
  "X-Client-Id": `ck_${"0".repeat(22)}`,
  "X-Client-Secret": `sk_${"0".repeat(49)}`,
  Authorization: "Bearer wrong",
};

/** The method and an address that a route takes. */
function requestOf(route: string): [method: string, path: string] {
  const [method = "", path = ""] = route.split(" ");
  const filled = path.replace(":company", "acme").replace(":token", TOKEN).replace("*", "bookings");
  return [method === "ALL" ? "POST" : method, filled.replaceAll(/:\w+/g, "1")];
}

test("nothing but the listed addresses answers without a valid key, and none waits for a body before", async () => {
  const listed = new Set(PUBLIC.map(({ route }) => route));
  const others = (await mountedRoutes()).filter((route) => !listed.has(route));
  expect(others.length).toBeGreaterThan(200);
  expect(others).toContain("ALL /mcp");
  const wrong: unknown[] = [];
  const knock = async (route: string | undefined) => {
    if (route === undefined) return;
    const [method, path] = requestOf(route);
    for (const credentials of [{}, WRONG_KEY]) {
      const headers = { "CF-Connecting-IP": randomAddress(), ...credentials };
      const begun = Date.now();
      // It announces a body and sends none of it: what reads the body first would wait.
      const { status } =
        method === "GET" ? await send(method, path, { headers }) : await announce(100, path, headers, method);
      const took = Date.now() - begun;
      if (![401, 403, 404].includes(status) || took > BOUND_MS) wrong.push({ route, status, took });
    }
    return knock(others.pop());
  };
  await Promise.all(others.splice(-AT_ONCE).map(knock));
  expect(wrong).toEqual([]);
});

afterEach(() => vi.restoreAllMocks());

// What monitors ask has tests of its own.
describe.each(PUBLIC.filter(({ route }) => route !== "GET /ready"))("$route", ({ route, limited }) => {
  const refusing = { take: async () => ({ admitted: false, limit: 1, remaining: 0, resetMs: 1_000 }) };

  test(`is ${limited ? "refused where its address has called too often" : "no matter of a company's database"}`, async () => {
    // Of a company that is not remembered: whatever is looked up reaches the control database.
    const asked = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("A database is asked"));
    const [method, path] = requestOf(route);
    const environment = { ...ENVIRONMENT, RATE_LIMITER: { getByName: () => refusing } };
    const app = await appOf(path);
    const headers = { Origin: "https://book.example.com" };
    const { status } = await app.request(path, { method, headers }, environment as never);
    expect(asked).not.toHaveBeenCalled();
    if (limited) expect(status).toBe(429);
    else expect([200, 403, 404, 503]).toContain(status);
  });
});

test("no token of a mounted address stands in the log", async () => {
  const routes = (await mountedRoutes()).filter((route) => route.includes(":token"));
  expect(routes.length).toBeGreaterThan(20);
  for (const route of routes) expect(loggedPath(requestOf(route)[1]), route).not.toContain(TOKEN);
});

test.each(["/docs/", "/docs/guides/", "/docs/pages/", "/widget/v1/", "/errors/"])(
  "the file of an address below %s never leaves its folder",
  async (folder) => {
    for (const name of [
      "..%2f..%2fopenapi.json",
      "..%2fopenapi.json",
      "..%2f..%2f..%2fopenapi.json",
      "%2e%2e%2fllms.txt",
      "..%5copenapi.json",
    ])
      expect((await sendAsWritten("GET", folder + name, {})).status, name).toBe(404);
  },
);

test("the proxy of a machine of one's own keeps the operator's addresses to the machine", async () => {
  const lines = (await readFile("docs/self-host/Caddyfile", "utf8")).split("\n").map((line) => line.trim());
  expect(lines).toContain("@platform path /platform /platform/*");
  expect(lines).toContain("respond @platform 404");
});
