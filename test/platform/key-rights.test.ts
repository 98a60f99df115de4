import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { SCOPES } from "#contract/scopes.ts";
import { PUBLISHABLE_RIGHTS } from "#control/keys/rights.ts";
import { CONTROL_MIGRATIONS } from "#control/migrations/list.ts";
import { migrate } from "#control/migrations/migrate.ts";
import { Database } from "#platform/database/database.ts";
import { clientOf, type Key, must, openCompany, type TestCompany } from "../support/company.ts";
import { EMPTY_PREFIX } from "../support/libsql/proxy.ts";
import { built } from "../support/operations.ts";
import { createNamespace } from "../support/service.ts";

const KEYS = "/settings/:company/keys";
const at = (key: Key, action = "") => `${KEYS}/${key.client_id}${action}`;

let company: TestCompany;

beforeAll(async () => {
  company = await openCompany();
});

describe("keys have scopes of their own", () => {
  test("settings:write makes, changes and reads no key", async () => {
    const key = await company.key("settings:read", "settings:write");
    const other = await company.key();
    const calls = [
      company.call("GET", KEYS, { key }),
      company.call("GET", "/settings/:company/audit-log/keys", { key }),
      company.call("POST", KEYS, { key, body: { name: "Mine", type: "secret", scopes: [] } }),
      company.call("PATCH", at(other), { key, body: { name: "Mine" } }),
      company.call("POST", at(other, "/rotate"), { key, body: { overlap_seconds: 0 } }),
      company.call("DELETE", at(other), { key }),
    ];
    const needed = (await Promise.all(calls)).map(({ status, body }) => [status, body.required_scope]);
    expect(needed).toEqual([
      [403, "keys:read"],
      [403, "keys:read"],
      [403, "keys:write"],
      [403, "keys:write"],
      [403, "keys:write"],
      [403, "keys:write"],
    ]);
  });

  test("keys:read reads keys, keys:write alone does not", async () => {
    const [reader, writer] = [await company.key("keys:read"), await company.key("keys:write")];
    must(await company.call("GET", KEYS, { key: reader }), 200);
    expect((await company.call("GET", KEYS, { key: writer })).status).toBe(403);
  });
});

describe("no call gives rights that the caller does not hold", () => {
  const lacking = { status: 403, body: { code: "insufficient_scope", required_scope: "customers:read" } };

  test("a new key gets at most the scopes of the key that makes it", async () => {
    const key = await company.key("keys:write", "invoices:read");
    const make = (scopes: string[]) =>
      company.call("POST", KEYS, { key, body: { name: "Made", type: "secret", scopes } });
    expect(await make(["invoices:read", "customers:read"])).toMatchObject(lacking);
    must(await make(["invoices:read", "keys:write"]), 201);
    must(await make([]), 201);
  });

  test("a change adds no scope that the caller lacks, to itself or another", async () => {
    const key = await company.key("keys:write", "invoices:read");
    const change = (of: Key, body: object) => company.call("PATCH", at(of), { key, body });
    expect(await change(key, { scopes: ["keys:write", "customers:read"] })).toMatchObject(lacking);
    expect(await change(await company.key(), { scopes: ["customers:read"] })).toMatchObject(lacking);
    const equal = await company.key("invoices:read");
    must(await change(equal, { name: "Kept", scopes: ["keys:write", "invoices:read"] }), 200);
    must(await change(equal, { scopes: [] }), 200);
  });

  test("a key that has more rights is changed in nothing, so that it cannot be made weak, rotated and got back", async () => {
    const strong = await company.key("settings:write", "payments:write", "keys:write", "customers:read");
    const key = await company.key("keys:write", "customers:read");
    const needs = { status: 403, body: { code: "insufficient_scope" } };
    const later = new Date(Date.now() + 600_000).toISOString();
    for (const body of [
      { scopes: ["customers:read"] },
      { name: "Renamed" },
      { expires_at: later },
      { rate_limit_per_minute: 1 },
      { messaging_daily_cap: 0 },
    ]) {
      expect(await company.call("PATCH", at(strong), { key, body })).toMatchObject(needs);
    }
    const rotation = { overlap_seconds: 604_800 };
    expect(await company.call("POST", at(strong, "/rotate"), { key, body: rotation })).toMatchObject(needs);
    must(await company.call("DELETE", at(strong), { key }), 200);
  });

  test("the last key that holds every scope is not revoked", async () => {
    const own = await openCompany();
    const key = await own.key("keys:write");
    const refused = { status: 409, body: { code: "conflict" } };
    expect(await own.call("DELETE", at(own.admin), { key })).toMatchObject(refused);
    const soon = new Date(Date.now() + 60_000).toISOString();
    const second = await own.makeKey({ scopes: [...SCOPES] });
    const third = await own.makeKey({ scopes: [...SCOPES], expires_at: soon });
    must(await own.call("DELETE", at(own.admin), { key }), 200);
    must(await own.call("DELETE", at(second), { key }), 200);
    expect(await own.call("DELETE", at(third), { key })).toMatchObject(refused);
  });

  test("a key that has more rights is not rotated, nor its life made longer or shorter", async () => {
    const key = await company.key("keys:write");
    const soon = new Date(Date.now() + 600_000).toISOString();
    const sooner = new Date(Date.now() + 300_000).toISOString();
    const other = await company.makeKey({ scopes: ["customers:read"], expires_at: soon });
    const call = (method: string, path: string, body?: object) => company.call(method, path, { key, body });
    expect(await call("POST", at(other, "/rotate"), { overlap_seconds: 0 })).toMatchObject(lacking);
    expect(await call("PATCH", at(other), { expires_at: null })).toMatchObject(lacking);
    const later = new Date(Date.now() + 900_000).toISOString();
    expect(await call("PATCH", at(other), { expires_at: later })).toMatchObject(lacking);
    expect((await company.call("GET", "/customers/:company", { key: other })).status).toBe(200);
    expect(await call("PATCH", at(other), { expires_at: sooner })).toMatchObject(lacking);
    must(await call("POST", at(key, "/rotate"), { overlap_seconds: 0 }), 200);
  });

  test("a publishable key is made, and let work from a further origin, by who holds its rights in Bookings", async () => {
    const needs = { status: 403, body: { required_scope: "bookings.read" } };
    const weak = await company.key("keys:write");
    const strong = await company.key("keys:write", ...PUBLISHABLE_RIGHTS);
    const [first, second] = ["https://a.example.com", "https://b.example.com"] as const;
    const body = { name: "Page", type: "publishable", allowed_origins: [first] };
    expect(await company.call("POST", KEYS, { key: weak, body })).toMatchObject(needs);
    const made = must(await company.call<Key>("POST", KEYS, { key: strong, body }), 201).body.data;
    const widen = (key: Key) =>
      company.call("PATCH", at(made), { key, body: { allowed_origins: [first, second] } });
    expect(await widen(weak)).toMatchObject(needs);
    must(await widen(strong), 200);
    const narrow = { allowed_origins: [second] };
    expect(await company.call("PATCH", at(made), { key: weak, body: narrow })).toMatchObject(needs);
    must(await company.call("PATCH", at(made), { key: strong, body: narrow }), 200);
  });

  test("another company's key is not found, whatever the caller lacks", async () => {
    const stranger = await (await openCompany()).key("customers:read");
    const key = await company.key("keys:write");
    const body = { scopes: ["customers:read"] };
    expect((await company.call("PATCH", at(stranger), { key, body })).status).toBe(404);
    const rotation = { overlap_seconds: 0 };
    expect((await company.call("POST", at(stranger, "/rotate"), { key, body: rotation })).status).toBe(404);
  });

  test("the rights of a publishable key are the scopes of all operations that take one", () => {
    const taking = built.filter(({ keys }) => keys === "any").map(({ scope }) => scope);
    expect([...new Set(taking)].sort()).toEqual([...PUBLISHABLE_RIGHTS].sort());
  });
});

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
    const rotation = { overlap_seconds: 0 };
    expect(await company.call("POST", at(lasting, "/rotate"), { key, body: rotation })).toMatchObject(
      refused("expires_at"),
    );
    const shorter = { expires_at: END };
    expect(await company.call("PATCH", at(lasting), { key, body: shorter })).toMatchObject(
      refused("expires_at"),
    );
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
  const CEILINGS = {
    max_rate_limit_per_minute: 900,
    max_messaging_rate_per_minute: 60,
    max_messaging_daily_cap: 2_000,
  };

  test("bound what a call may give, name the field, and lower the keys that have more", async () => {
    const own = await openCompany();
    await own.raiseLimit();
    const set = must(await own.patch(CEILINGS), 200);
    expect(set.body.data).toMatchObject(CEILINGS);
    const [admin] = must(await own.call<Record<string, unknown>[]>("GET", KEYS), 200).body.data;
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
    const body = { name: "Small", type: "secret", scopes: [] };
    const made = must(await own.call("POST", KEYS, { body }), 201).body.data;
    expect(made).toMatchObject({
      rate_limit_per_minute: 100,
      messaging_rate_per_minute: 30,
      messaging_daily_cap: 0,
    });
    const answer = await own.call("GET", "/customers/:company");
    expect(answer.headers.get("X-RateLimit-Limit")).toBe("100");
  });
});

/** What the last release knew: its migrations of the control database, and its scopes. A release writes them anew. */
const LAST_RELEASE = {
  migrations: ["0001_foundation", "0002_messaging", "0003_refused_operations", "0004_provisioning"],
  scopes:
    "invoices:read invoices:write customers:read customers:write products:read products:write payments:read payments:write messages:sms:send messages:chatapp:send messages:email:send messages:read job_openings.read applications.write capture_leads view_lead_sources storefront projects.read projects.write bookings.read bookings.write settings:read settings:write ledger:read".split(
      " ",
    ),
};

test("an update of the last release's control database gives its new scopes to keys that held every scope", async () => {
  const { libsqlUrl, libsqlAdminUrl: adminUrl, libsqlToken } = inject("service");
  const name = `${EMPTY_PREFIX}${randomBytes(8).toString("hex")}`;
  await createNamespace({ adminUrl }, name);
  const database = new Database({ url: `${libsqlUrl}/dev/${name}/`, token: libsqlToken });
  const before = CONTROL_MIGRATIONS.filter((file) => LAST_RELEASE.migrations.includes(file.name));
  expect(before).toHaveLength(LAST_RELEASE.migrations.length);
  await migrate(database, before, 1);
  const client = clientOf(name);
  await client.execute(`INSERT INTO companies
    (slug, name, country, currency, timezone, status, reservation, reserved_at, created_at, updated_at)
    VALUES ('old', 'Old', 'IN', 'INR', 'Asia/Kolkata', 'active', '', 1, 1, 1)`);
  const [first = "", ...others] = LAST_RELEASE.scopes;
  const held: Record<string, string[]> = {
    all: LAST_RELEASE.scopes,
    almost: others,
    reader: ["settings:read"],
    writer: ["settings:write"],
    none: [first],
    page: [],
  };
  for (const [id, scopes] of Object.entries(held)) {
    const secret = id === "page" ? null : "00";
    await client.execute({
      sql: `INSERT INTO api_keys (company_id, client_id, type, name, scopes, secret_hash, rate_limit_per_minute,
        messaging_rate_per_minute, messaging_daily_cap, created_at, updated_at)
        VALUES (1, ?, ?, 'Old', ?, ?, 1000000, 30, 1000, 1, 1)`,
      args: [id, secret === null ? "publishable" : "secret", JSON.stringify(scopes), secret],
    });
  }
  await migrate(database, CONTROL_MIGRATIONS, 2);
  const { rows } = await client.execute("SELECT client_id, scopes FROM api_keys");
  const now = Object.fromEntries(
    rows.map((row): [string, string[]] => [String(row.client_id), JSON.parse(String(row.scopes)).sort()]),
  );
  expect(now).toEqual({
    all: [...SCOPES].sort(),
    almost: [...others, "keys:read", "keys:write"].sort(),
    reader: ["keys:read", "settings:read"],
    writer: ["keys:write", "settings:write"],
    none: [first],
    page: [],
  });
});
