import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { blockDatabase } from "../../support/block-database.ts";
import { must, openCompany, platform, runCron, setFaults, type TestCompany } from "../../support/company.ts";
import { send } from "../../support/http.ts";
import { expectSound } from "../../support/oracles.ts";
import { ownService } from "../../support/own-service.ts";

const PATH = "/customers/:company";
const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };

const lines: string[] = [];
const logged = () => lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
const faults = () => logged().flatMap(({ fault }) => (fault === undefined ? [] : [fault as string]));
let company: TestCompany;

const service = await ownService([], { hear: (line) => lines.push(line) });
beforeEach(async () => {
  company = await openCompany({}, service.address);
  lines.length = 0;
});

const block = (reads: boolean, writes: boolean) => blockDatabase(company, { reads, writes }, service.address);

const create = (key?: string) =>
  company.call("POST", PATH, {
    body: customer,
    headers: key === undefined ? {} : { "Idempotency-Key": key },
  });
const read = () => company.call("GET", PATH);

test("a database that its server blocks is 503 database_blocked for that company alone, and logged", async () => {
  const other = await openCompany({}, service.address);
  const key = randomUUID();
  await block(true, true);
  const refusal = await create(key);
  for (const answer of [refusal, await read(), await company.call("GET", `${PATH}/1`)]) {
    expect(answer).toMatchObject({ status: 503, body: { code: "database_blocked" } });
    expect(answer.headers.get("Retry-After")).toBe("60");
    expect(answer.text).not.toMatch(/unpaid|Libsql|SQL/);
  }
  expect(faults()).toEqual(Array(3).fill("database_blocked"));
  must(await other.call("POST", PATH, { body: customer }), 201);
  // A line says when, what was called, for which company, and under which id its client asks about it.
  expect(logged()[0]).toMatchObject({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    operation: "createCustomer",
    company: company.slug,
    request_id: refusal.headers.get("X-Request-Id"),
  });

  await block(false, true);
  must(await read(), 200);
  expect(await create(key)).toMatchObject({ status: 503, body: { code: "database_blocked" } });

  await block(false, false);
  must(await create(key), 201);
  expect(must(await read(), 200).body.data).toHaveLength(1);
  await expectSound(company);
});

test("a database that stays away is 503 unavailable, and logged as missing; one away for a moment is neither", async () => {
  await company.faults({ kind: "status", status: 404, times: 1 });
  must(await read(), 200);
  expect(faults()).toEqual([]);
  await company.faults({ kind: "status", status: 404 });
  expect(await read()).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(await create()).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(faults()).toEqual(["database_missing", "database_missing"]);
  await company.faults();
  expect(must(await read(), 200).body.data).toEqual([]);
});

test("a database that gives no answer is named by a line of each call that waited for it, under the call's id", async () => {
  await company.faults({ kind: "reset_before" });
  const [reading, writing] = [await read(), await create()];
  expect(reading).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(writing).toMatchObject({ status: 503, body: { code: "outcome_unknown" } });
  await company.faults();
  const subject = expect.stringContaining(company.namespace);
  const line = { fault: "database_unanswered", company: company.slug, subject };
  expect(logged().filter(({ fault }) => fault !== undefined)).toMatchObject([
    { ...line, operation: "listCustomers", request_id: reading.headers.get("X-Request-Id") },
    { ...line, operation: "createCustomer", request_id: writing.headers.get("X-Request-Id") },
  ]);
});

test("lines of a control database that is gone name the company of the address, also of the cron and /ready", async () => {
  const [unknown, own] = [await openCompany({}, service.address), service.address];
  lines.length = 0;
  await setFaults("control", [{ kind: "status", status: 404 }], own);
  expect((await unknown.call("GET", PATH)).status).toBe(503);
  const access = `/platform/companies/${unknown.slug}/access`;
  expect((await platform("GET", access, undefined, own)).status).toBe(503);
  expect((await send("GET", "/ready", { service: own })).status).toBe(503);
  await runCron(own).catch(() => undefined);
  expect((await platform("POST", "/platform/probes", undefined, own)).status).toBe(200);
  const ping = () => logged().find(({ fault, operation }) => fault !== undefined && operation === "job ping");
  await expect.poll(ping, { timeout: 10_000 }).toBeDefined();
  expect(ping()).not.toHaveProperty("company");
  await setFaults("control", [], own);
  const found = logged().filter(({ fault }) => fault !== undefined);
  for (const line of found)
    expect(line).toMatchObject({ request_id: expect.stringMatching(/^req_/), operation: expect.any(String) });
  const missing = found.filter(({ fault }) => fault === "database_missing");
  const of = (operation: string) => missing.find((line) => line.operation === operation);
  const subject = expect.stringContaining("/control/");
  expect(of("listCustomers")).toMatchObject({ company: unknown.slug, subject });
  expect(of("checkAccess")).toMatchObject({ company: unknown.slug, subject });
  expect(of("ready")).toMatchObject({ subject });
  expect(of("cron")).toMatchObject({ subject });
});

test("after an unknown outcome, a retry that finds no database does not say that nothing was done under its key", async () => {
  const key = randomUUID();
  await company.faults(
    { kind: "reset_after", times: 1, writes_only: true },
    { kind: "status", status: 502, writes_only: true },
  );
  expect((await create(key)).body.code).toBe("outcome_unknown");

  await company.faults({ kind: "status", status: 429 });
  const again = await create(key);
  expect(again).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(again.body.message).not.toContain("nothing was done");
  expect(again.body.message).toMatch(
    /this call did nothing\. What an earlier call with this Idempotency-Key did/i,
  );
  expect((await create()).body.message).not.toContain("Idempotency-Key");

  await company.faults();
  const replayed = must(await create(key), 201);
  expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
  expect(must(await read(), 200).body.data).toHaveLength(1);
});
