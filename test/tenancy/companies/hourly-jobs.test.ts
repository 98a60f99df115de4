import { expect, test } from "vitest";
import { controlRows, must, openCompany, runCron } from "../../support/company.ts";

const HOUR = 3_600;
const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };

const company = await openCompany();

const create = (headers: Record<string, string> = {}) =>
  company.call("POST", "/customers/:company", { body: customer, headers });

const remembered = async () => Number((await company.rows("SELECT count(*) AS n FROM operations"))[0]?.n);

test("what a company's calls did is forgotten a day later when they sent a key, else within the hour", async () => {
  must(await create(), 201);
  must(await create({ "Idempotency-Key": "kept" }), 201);
  expect(await remembered()).toBe(2);

  await company.clock(HOUR);
  await company.sweep(async () => (await remembered()) === 1);
  expect((await create({ "Idempotency-Key": "kept" })).headers.get("Idempotent-Replayed")).toBe("true");

  await company.clock(25 * HOUR);
  await company.sweep(async () => (await remembered()) === 0);
  expect(await company.rows("SELECT count(*) AS n FROM audit_log")).toEqual([{ n: 2 }]);
});

test("thousands of expired rows go in one sweep, and what has not expired stays", async () => {
  const soon = Date.now() + 100 * HOUR * 1_000;
  await company.rows(`INSERT INTO operations (scope, fingerprint, created_at, expires_at)
      SELECT value || '-scope', '', 0, CASE WHEN value <= 1200 THEN value ELSE ${soon} END FROM (
        WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 1210) SELECT value FROM n)`);
  const before = await remembered();
  await company.sweep(async () => (await remembered()) === before - 1_200);
});

test("the control database forgets alike", async () => {
  const expired = "INSERT INTO operations (scope, fingerprint, created_at, expires_at) VALUES (?, '', 0, 1)";
  await controlRows(expired, `expired-${company.slug}`);
  await runCron();
  expect(await controlRows("SELECT scope FROM operations WHERE expires_at <= 1")).toEqual([]);
});
