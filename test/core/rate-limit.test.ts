import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { times } from "../features/money.ts";
import { type Call, type Key, openCompany } from "../support/company.ts";
import { type Answer, randomAddress } from "../support/http.ts";
import { untilQuiet } from "../support/round-trips.ts";

const LIMIT = 20;
const LIST = "/customers/:company";

const company = await openCompany();

function limitedKey(fields: Record<string, unknown> = {}): Promise<Key> {
  return company.makeKey({ scopes: ["customers:read"], rate_limit_per_minute: LIMIT, ...fields });
}

function burst(count: number, key: Key, path = LIST, options: Call = {}): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, () => company.call("GET", path, { key, ...options })));
}

const admitted = (answers: Answer[]) => answers.filter(({ status }) => status === 200).length;
const remaining = ({ headers }: Answer) => Number(headers.get("X-RateLimit-Remaining"));

test("a burst of three times the limit admits exactly the limit; another key is not concerned", async () => {
  const [key, other] = await Promise.all([limitedKey(), limitedKey()]);
  const answers = await burst(3 * LIMIT, key);
  expect(admitted(answers)).toBe(LIMIT);
  const left = answers.map(remaining).toSorted((one, other) => other - one);
  expect(left.slice(0, LIMIT)).toEqual(Array.from({ length: LIMIT }, (_, taken) => LIMIT - 1 - taken));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2 * LIMIT);
  for (const answer of refused) {
    expect(answer.body).toMatchObject({ code: "rate_limited", success: false });
    const wait = Number(answer.headers.get("Retry-After"));
    expect(wait).toBeGreaterThanOrEqual(Math.max(1, Number(answer.headers.get("X-RateLimit-Reset"))));
    expect(answer.body.retry_after).toBe(wait);
    // No client waits for longer than the window is.
    expect(Number(answer.headers.get("X-RateLimit-Reset"))).toBeLessThanOrEqual(60);
    expect(answer.headers.get("RateLimit")).toMatch(/;t=(?:[1-5]?\d|60)$/);
    expect(remaining(answer)).toBe(0);
  }
  expect(admitted(await burst(LIMIT, other))).toBe(LIMIT);
});

test("Retry-After is true: a call before it is refused, a call after it admitted", async () => {
  const own = await openCompany();
  const key = await own.makeKey({ scopes: ["customers:read"], rate_limit_per_minute: 1 });
  expect((await own.call("GET", LIST, { key })).status).toBe(200);
  const refused = await own.call("GET", LIST, { key });
  expect(refused.status).toBe(429);
  const wait = Number(refused.headers.get("Retry-After"));
  await own.clock(wait - 30);
  expect((await own.call("GET", LIST, { key })).status).toBe(429);
  await own.clock(wait);
  expect((await own.call("GET", LIST, { key })).status).toBe(200);
});

test("a key that pauses for longer than an idle object is kept has no call more in that minute", async () => {
  const key = await limitedKey();
  expect(admitted(await burst(LIMIT - 1, key))).toBe(LIMIT - 1);
  // The runtime evicts an object after 10 seconds without a call.
  await sleep(14_000);
  expect(admitted(await burst(LIMIT, key))).toBe(1);
});

test("429 comes before 403 and 422", async () => {
  const key = await limitedKey({ rate_limit_per_minute: 1 });
  await burst(1, key);
  expect((await company.call("GET", "/invoices/:company", { key })).status).toBe(429);
  expect((await company.call("GET", `${LIST}?limit=0`, { key })).status).toBe(429);
  expect((await company.call("GET", `${LIST}/1`, { key })).status).toBe(429);
});

test("a write that is refused writes nothing", async () => {
  const key = await limitedKey({ scopes: ["customers:write"] });
  const body = { name: "Meera", state: "Karnataka", pincode: "560001" };
  const answers = await times(3 * LIMIT, () => company.call("POST", LIST, { key, body }));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMIT);
  expect(await company.rows("SELECT count(*) AS n FROM customers")).toEqual([{ n: LIMIT }]);
});

test("once refused, a flood reaches the database no more", async () => {
  const key = await limitedKey({ rate_limit_per_minute: 1 });
  await burst(1, key);
  await burst(1, key);
  await untilQuiet(company);
  const before = await company.requests();
  const answers = await burst(50, key);
  expect(answers.every(({ status }) => status === 429)).toBe(true);
  expect(await company.requests()).toBe(before);
});

describe("failed credentials", () => {
  test("of a known key are counted by key and address: 30 a minute, and the right secret still works", async () => {
    const key = await company.key("customers:read");
    const address = { headers: { "CF-Connecting-IP": randomAddress() } };
    const wrong = { ...key, client_secret: company.admin.client_secret };
    const answers = await burst(40, wrong, LIST, address);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect(admitted(await burst(1, key, LIST, address))).toBe(1);
    expect(
      (await burst(1, wrong, LIST, { headers: { "CF-Connecting-IP": randomAddress() } }))[0]?.status,
    ).toBe(401);
  });
});
