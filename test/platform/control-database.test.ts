import { createClient } from "@libsql/client/web";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { newClientSecret } from "#control/key-format.ts";
import type { FaultRule } from "../../src/sandbox/libsql/faults.ts";
import { credentials, type Key } from "../support/company.ts";
import type { Body } from "../support/http.ts";
import { PLATFORM_TOKEN, type Service, startService } from "../support/service.ts";

// A service of its own: what fails here would fail for every test of the other.
let service: Service;
let admin: Key;

beforeAll(async () => {
  service = await startService(inject("service").bundle);
  const body = { slug: "acme", name: "Asha Traders" };
  const headers = { Authorization: `Bearer ${PLATFORM_TOKEN}` };
  admin = (await call<{ admin_key: Key }>("POST", "/platform/companies", headers, body)).body.data.admin_key;
});

afterAll(() => service.stop());
beforeEach(() => faults());

async function call<Data>(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const response = await fetch(service.url + path, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body<Data> };
}

const read = (key: Key) => call("GET", "/v1/customers/acme", credentials(key));

async function newKey(): Promise<Key> {
  const body = { name: "Test", type: "secret", scopes: ["customers:read"] };
  return (await call<Key>("POST", "/v1/settings/acme/keys", credentials(admin), body)).body.data;
}

async function faults(...rules: FaultRule[]): Promise<void> {
  const url = `${service.libsql.adminUrl}/test/faults/control`;
  await fetch(url, { method: "PUT", body: JSON.stringify(rules) });
}

test("while it cannot be reached, a key that is remembered works and an unknown one is 503, never 401", async () => {
  const [warm, cold] = [await newKey(), await newKey()];
  expect((await read(warm)).status).toBe(200);
  await faults({ kind: "reset_before" });
  expect((await read(warm)).status).toBe(200);
  for (const key of [cold, { client_id: `ck_${"0".repeat(22)}`, client_secret: newClientSecret() }]) {
    const answer = await read(key);
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  }
  await faults();
  expect((await read(cold)).status).toBe(200);
});

test("a wrong secret of a remembered key stays 401 meanwhile", async () => {
  const key = await newKey();
  await read(key);
  await faults({ kind: "reset_before" });
  expect((await read({ ...key, client_secret: newClientSecret() })).status).toBe(401);
});

test("one lost answer is not noticed", async () => {
  const key = await newKey();
  await faults({ kind: "reset_before", times: 1 });
  expect((await read(key)).status).toBe(200);
});

test("an unknown key is asked for once in two seconds, however often it comes", async () => {
  const unknown = { client_id: `ck_${"1".repeat(22)}`, client_secret: newClientSecret() };
  const requests = async (): Promise<number> => {
    const counts = await fetch(`${service.libsql.adminUrl}/test/requests`);
    return ((await counts.json()) as { control: number }).control;
  };
  await read(unknown);
  const before = await requests();
  for (let attempt = 0; attempt < 20; attempt += 1) expect((await read(unknown)).status).toBe(401);
  expect((await requests()) - before).toBeLessThanOrEqual(1);
});

test("a key answered with the time of its last use, noted once in an hour", async () => {
  const key = await newKey();
  const control = createClient({
    url: `${service.libsql.url}/dev/control/`,
    authToken: service.libsql.token,
  });
  const lastUse = async () => {
    const sql = "SELECT last_used_at AS used FROM api_keys WHERE client_id = ?";
    return (await control.execute({ sql, args: [key.client_id] })).rows[0]?.used;
  };
  expect(await lastUse()).toBeNull();
  await read(key);
  await expect.poll(lastUse).not.toBeNull();
  const first = await lastUse();
  await read(key);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await lastUse()).toBe(first);
});
