import { expect, test } from "vitest";
import { openBusy, openCompany, platformRead, type TestCompany } from "../support/company.ts";

const PATH = "/customers/:company";
const CUSTOMER = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
const READS = 400;
// Between two calls that test whether a database answers again.
const BREAK_MS = 2_000;

/** The 99th percentile of a company's reads, of which four wait at once, in ms. */
async function p99(company: TestCompany): Promise<number> {
  const times: number[] = [];
  const reader = async () => {
    while (times.length < READS) {
      const startedAt = performance.now();
      expect((await company.call("GET", PATH)).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all([reader(), reader(), reader(), reader()]);
  return times.sort((one, other) => one - other)[Math.floor(READS * 0.99)] ?? 0;
}

test("a company whose database hangs is 503 at once and slows no other, until one call finds that it answers again", {
  timeout: 90_000,
}, async () => {
  const [hung, well] = await Promise.all([openBusy(), openBusy()]);
  const alone = await p99(well);
  await hung.faults({ kind: "delay", delay_ms: 20_000 });
  const waiting = Array.from({ length: 100 }, () => hung.call("GET", PATH));
  const beside = await p99(well);
  const problem = { status: 503, body: { code: "unavailable" } };
  for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject(problem);

  const [before, begun] = [await hung.requests(), performance.now()];
  for (const answer of await Promise.all(Array.from({ length: 20 }, () => hung.call("GET", PATH)))) {
    expect(answer).toMatchObject(problem);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  }
  // One call tests the database, and on a machine so busy that the next is due, another one.
  const due = 1 + Math.floor((performance.now() - begun) / BREAK_MS);
  expect((await hung.requests()) - before).toBeLessThanOrEqual(due);
  expect((await well.call("POST", PATH, { body: CUSTOMER })).status).toBe(201);

  await hung.faults();
  const patience = { interval: 500, timeout: 40_000 };
  await expect.poll(async () => (await hung.call("GET", PATH)).status, patience).toBe(200);
  expect((await hung.call("POST", PATH, { body: CUSTOMER })).status).toBe(201);
  console.info(
    `p99 of another company's reads beside a hung database: ${(beside / alone).toFixed(2)} times what it was`,
  );
});

test("a database that answers reads and no writes is named by the readiness, which tries it until it answers", {
  timeout: 90_000,
}, async () => {
  const company = await openCompany();
  const stalledSeconds = async () =>
    (await platformRead<{ writes_stalled_seconds: number }>("/platform/readiness")).writes_stalled_seconds;
  expect(await stalledSeconds()).toBe(0);
  await company.faults({ kind: "delay", delay_ms: 20_000, writes_only: true });
  expect((await company.call("POST", PATH, { body: CUSTOMER })).status).toBe(503);
  const patience = { interval: 500, timeout: 30_000 };
  await expect.poll(stalledSeconds, patience).toBeGreaterThan(1);
  expect((await company.call("GET", PATH)).status).toBe(200);

  await company.faults();
  await expect.poll(stalledSeconds, patience).toBe(0);
  expect((await company.call("POST", PATH, { body: CUSTOMER })).status).toBe(201);
});
