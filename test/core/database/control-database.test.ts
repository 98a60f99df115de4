import { beforeEach, expect, test } from "vitest";
import { newClientSecret } from "#tenancy/keys/key-format.ts";
import { clientOf, type Key, openCompany, requestCounts, setFaults } from "../../support/company.ts";
import { randomAddress } from "../../support/http.ts";
import { ownService } from "../../support/own-service.ts";

// A service of its own: what fails here would fail for every test of the other.
const { address: service } = await ownService();
const company = await openCompany({}, service);

beforeEach(() => setFaults("control", [], service));

const newKey = () => company.key("customers:read");
const requests = async () => (await requestCounts(service)).control ?? 0;
const unreachable = () => setFaults("control", [{ kind: "reset_before" }], service);

function read(key: Key) {
  const headers = { "CF-Connecting-IP": randomAddress() };
  return company.call("GET", "/customers/:company", { key, headers });
}

test("while it cannot be reached, a key that is remembered works and an unknown one is 503, never 401", async () => {
  const [warm, cold] = [await newKey(), await newKey()];
  expect((await read(warm)).status).toBe(200);
  await unreachable();
  expect((await read(warm)).status).toBe(200);
  for (const key of [cold, { client_id: `ck_${"0".repeat(22)}`, client_secret: newClientSecret() }]) {
    const answer = await read(key);
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  }
  await setFaults("control", [], service);
  expect((await read(cold)).status).toBe(200);
});

test("a page whose key is cached works meanwhile, though no lookup finds who else may read a refusal", async () => {
  const origin = "https://book.example.com";
  const key = await company.publishableKey(origin);
  const page = (headers: Record<string, string>) =>
    company.call("GET", "/schools/:company/locations", { key, headers });
  expect((await page({ Referer: origin })).status).toBe(200);
  await unreachable();
  const answer = await page({ "CF-Connecting-IP": randomAddress(), Origin: origin });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(origin);
});

test("a wrong secret of a remembered key stays 401 meanwhile", async () => {
  const key = await newKey();
  await read(key);
  await unreachable();
  expect((await read({ ...key, client_secret: newClientSecret() })).status).toBe(401);
});

test("one lost answer is not noticed", async () => {
  const key = await newKey();
  await setFaults("control", [{ kind: "reset_before", times: 1 }], service);
  expect((await read(key)).status).toBe(200);
});

test("an unknown key is asked for once in two seconds, however often it comes", async () => {
  const unknown = { client_id: `ck_${"1".repeat(22)}`, client_secret: newClientSecret() };
  await read(unknown);
  const before = await requests();
  const startedAt = performance.now();
  for (let attempt = 0; attempt < 20; attempt += 1) expect((await read(unknown)).status).toBe(401);
  const most = 1 + Math.floor((performance.now() - startedAt) / 2_000);
  expect((await requests()) - before).toBeLessThanOrEqual(most);
});

test("the time of a key's last use is noted, once in an hour", async () => {
  const key = await newKey();
  const sql = "SELECT last_used_at AS used FROM api_keys WHERE client_id = ?";
  const lastUse = async () =>
    (await clientOf("control", service).execute({ sql, args: [key.client_id] })).rows[0]?.used;
  expect(await lastUse()).toBeNull();
  await read(key);
  await expect.poll(lastUse, { timeout: 10_000 }).not.toBeNull();
  const first = await lastUse();
  await read(key);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await lastUse()).toBe(first);
});
