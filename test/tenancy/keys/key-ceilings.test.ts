import { beforeAll, describe, expect, test } from "vitest";
import { type Key, must, openBusy, openCompany } from "../../support/company.ts";
import { at, KEYS } from "./keys.ts";

const company = await openCompany();

describe("a key that ends gives nothing that outlasts it or is above its limits", () => {
  const END = new Date(Date.now() + 600_000).toISOString();
  const LATER = new Date(Date.now() + 900_000).toISOString();
  const LIMITS = { rate_limit_per_minute: 100, messaging_rate_per_minute: 10, messaging_daily_cap: 50 };
  const refused = (field: string) => ({ status: 403, body: { code: "above_own_key", errors: [{ field }] } });
  const above: [field: string, value: string | number | null][] = [
    ["expires_at", null],
    ["expires_at", LATER],
    ["rate_limit_per_minute", 101],
    ["messaging_rate_per_minute", 11],
    ["messaging_daily_cap", 51],
  ];
  let key: Key;

  beforeAll(async () => {
    key = await company.makeKey({ scopes: ["keys:write", "customers:read"], expires_at: END, ...LIMITS });
  });

  test.each(above)("%s: %s, to itself or to a new key", async (field, value) => {
    const change = { [field]: value };
    expect(await company.call("PATCH", at(key), { key, body: change })).toMatchObject(refused(field));
    const body = { name: "Child", type: "secret", scopes: [], ...change };
    expect(await company.call("POST", KEYS, { key, body })).toMatchObject(refused(field));
  });

  test("what is left out fits it", async () => {
    const body = { name: "Child", type: "secret", scopes: ["customers:read"] };
    const child = must(await company.call<Key>("POST", KEYS, { key, body }), 201).body.data;
    expect(child).toMatchObject({ ...LIMITS, expires_at: END });
    must(await company.call("PATCH", at(child), { key, body: { rate_limit_per_minute: 99 } }), 200);
    must(await company.call("POST", at(child, "/rotate"), { key, body: { overlap_seconds: 0 } }), 200);
  });

  test("a key that outlasts it is neither rotated nor changed", async () => {
    const lasting = await company.makeKey({ scopes: [], ...LIMITS });
    for (const [method, path, body] of [
      ["POST", at(lasting, "/rotate"), { overlap_seconds: 0 }],
      ["PATCH", at(lasting), { expires_at: END }],
    ] as const)
      expect(await company.call(method, path, { key, body })).toMatchObject(refused("expires_at"));
  });

  test("one without an end is free", async () => {
    const free = await company.makeKey({ scopes: ["keys:write"], ...LIMITS });
    must(await company.call("PATCH", at(free), { key: free, body: { rate_limit_per_minute: 5_000 } }), 200);
  });
});

describe("the ceilings of a key's limits, which the platform operations set", () => {
  const LIMITS = {
    rate_limit_per_minute: 900,
    messaging_rate_per_minute: 60,
    messaging_daily_cap: 2_000,
  };
  const CEILINGS = Object.fromEntries(Object.entries(LIMITS).map(([name, most]) => [`max_${name}`, most]));

  test("bound what a call may give, name the field, and lower the keys that have more", async () => {
    const own = await openBusy();
    expect(must(await own.patch(CEILINGS), 200).body.data).toMatchObject(CEILINGS);
    const [admin] = await own.read<Record<string, unknown>[]>(KEYS);
    expect(admin).toMatchObject({ rate_limit_per_minute: 900, messaging_daily_cap: 1_000 });
    const key = await own.makeKey(LIMITS);
    for (const [field, limit] of Object.entries(LIMITS)) {
      const above = { [field]: limit + 1 };
      const refused = { status: 422, body: { errors: [{ field, code: "too_big" }] } };
      expect(await own.call("PATCH", at(key), { body: above })).toMatchObject(refused);
      const body = { name: "More", type: "secret", scopes: [], ...above };
      expect(await own.call("POST", KEYS, { body })).toMatchObject(refused);
    }
  });

  test("hold for a key that is made with the defaults too", async () => {
    const own = await openCompany();
    must(await own.patch({ max_rate_limit_per_minute: 100, max_messaging_daily_cap: 0 }), 200);
    expect(await own.makeKey({ scopes: [] })).toMatchObject({
      rate_limit_per_minute: 100,
      messaging_rate_per_minute: 30,
      messaging_daily_cap: 0,
    });
    const answer = await own.call("GET", "/customers/:company");
    expect(answer.headers.get("X-RateLimit-Limit")).toBe("100");
  });
});
