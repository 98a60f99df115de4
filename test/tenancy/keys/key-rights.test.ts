import { describe, expect, test } from "vitest";
import { SCOPES } from "#api/operations/scopes.ts";
import { PUBLISHABLE_RIGHTS } from "#tenancy/keys/rights.ts";
import { refusal } from "../../features/refusal.ts";
import { type Key, must, openCompany } from "../../support/company.ts";
import { built } from "../../support/operations.ts";
import { at, KEYS } from "./keys.ts";

const company = await openCompany();

describe("keys have scopes of their own", () => {
  test("settings:write makes, changes and reads no key", async () => {
    const key = await company.key("settings:read", "settings:write");
    const other = await company.key();
    for (const [required_scope, method, path, body] of [
      ["keys:read", "GET", KEYS, undefined],
      ["keys:read", "GET", "/settings/:company/audit-log/keys", undefined],
      ["keys:write", "POST", KEYS, { name: "Mine", type: "secret", scopes: [] }],
      ["keys:write", "PATCH", at(other), { name: "Mine" }],
      ["keys:write", "POST", at(other, "/rotate"), { overlap_seconds: 0 }],
      ["keys:write", "DELETE", at(other), undefined],
    ] as const) {
      const answer = await company.call(method, path, { key, body });
      expect(answer).toMatchObject(refusal(403, "insufficient_scope", { required_scope }));
    }
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
    const [sooner, soon, later] = [300_000, 600_000, 900_000].map((ms) =>
      new Date(Date.now() + ms).toISOString(),
    );
    const strong = await company.makeKey({ scopes: ["keys:write", "customers:read"], expires_at: soon });
    const key = await company.key("keys:write", "invoices:read");
    for (const body of [
      { scopes: [] },
      { name: "Renamed" },
      { expires_at: null },
      { expires_at: sooner },
      { expires_at: later },
      { rate_limit_per_minute: 1 },
      { messaging_daily_cap: 0 },
    ])
      expect(await company.call("PATCH", at(strong), { key, body })).toMatchObject(lacking);
    const rotation = (overlap_seconds: number) => ({ key, body: { overlap_seconds } });
    expect(await company.call("POST", at(strong, "/rotate"), rotation(604_800))).toMatchObject(lacking);
    expect(await company.call("DELETE", at(strong), { key })).toMatchObject(lacking);
    expect((await company.call("GET", "/customers/:company", { key: strong })).status).toBe(200);
    must(await company.call("DELETE", at(await company.key("invoices:read")), { key }), 200);
    must(await company.call("POST", at(key, "/rotate"), rotation(0)), 200);
  });

  test("the last key that holds every scope is not revoked: not by one that lacks a scope, nor by one that ends", async () => {
    const own = await openCompany();
    const weak = await own.key("keys:write");
    const soon = new Date(Date.now() + 600_000).toISOString();
    const ending = await own.makeKey({ scopes: [...SCOPES], expires_at: soon });
    const revoke = (key: Key) => own.call("DELETE", at(own.admin), { key });
    expect(await revoke(weak)).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
    expect(await revoke(ending)).toMatchObject({ status: 403, body: { code: "above_own_key" } });
    const second = await own.makeKey({ scopes: [...SCOPES] });
    const both = await Promise.all([revoke(second), own.call("DELETE", at(second), { key: own.admin })]);
    expect(both.map(({ status }) => status).sort()).not.toEqual([200, 200]);
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
    const other = await openCompany();
    const stranger = await other.key("customers:read");
    for (const key of [await company.key("keys:write"), company.admin]) {
      const call = (method: string, path: string, body?: object) => company.call(method, path, { key, body });
      expect((await call("PATCH", at(stranger), { scopes: ["customers:read"] })).status).toBe(404);
      expect((await call("POST", at(stranger, "/rotate"), { overlap_seconds: 0 })).status).toBe(404);
      expect((await call("DELETE", at(stranger))).status).toBe(404);
    }
    expect((await other.call("GET", "/customers/:company", { key: stranger })).status).toBe(200);
  });

  test("the rights of a publishable key are the scopes of all operations that take one", () => {
    const taking = built.filter(({ keys }) => keys === "any").map(({ scope }) => scope);
    expect([...new Set(taking)].sort()).toEqual([...PUBLISHABLE_RIGHTS].sort());
  });
});
