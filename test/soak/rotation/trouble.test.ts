import { randomUUID } from "node:crypto";
import { createClient } from "@libsql/client/web";
import { beforeEach, expect, test } from "vitest";
import { gatewayCredentials } from "../../../src/features/gateway-payments/gateways/secret-kinds.ts";
import { REGISTERED } from "../../features/commerce.ts";
import { CONFIGS } from "../../features/messaging/provider.ts";
import { placeOrder } from "../../features/storefront/shop.ts";
import { must, openCompany, requestCounts, runCron, type TestCompany } from "../../support/company.ts";
import { connectGateway } from "../../support/gateways.ts";
import { ownService } from "../../support/own-service.ts";
import {
  controlOf,
  databasesOf,
  keyOf,
  sealBefore,
  startRotation,
  stateOf,
  untilLookedThrough,
} from "./rotation.ts";

const GATEWAYS = "/settings/:company/payment-gateways";
const PROVIDERS = "/settings/:company/messaging-providers";
const CREDENTIALS = "SELECT credentials FROM gateway_accounts";
const RUNS = "resealings";

let company: TestCompany;
let id: string;

const variables = { MASTER_KEY: keyOf(1), PREVIOUS_MASTER_KEY: keyOf(0) };
// What fails on purpose would fill the terminal.
const service = await ownService([], { variables, hear: () => undefined });
const { address } = service;

beforeEach(async () => {
  company = await openCompany(REGISTERED, address);
  ({ id } = await connectGateway(company, "razorpay"));
});

const cron = () => runCron(address);
/** Encrypts the gateway's credentials with the key before: a rotation has something to do. */
const sealOlder = () => sealBefore(company, gatewayCredentials, { now: keyOf(1), before: keyOf(0) });
const lookAgain = () => controlOf(service).execute(`UPDATE ${RUNS} SET due_at = 0`);
const credentials = async () => String((await company.database().execute(CREDENTIALS)).rows[0]?.credentials);

async function own() {
  return (await databasesOf(address)).find(({ database }) => database === company.slug);
}

test("a company whose database does not answer stops no other, and is done once it answers", async () => {
  await sealOlder();
  const other = await openCompany(REGISTERED, address);
  await connectGateway(other, "razorpay");
  await startRotation(address);
  await company.faults({ kind: "reset_before" });
  const { rotation, current_key_id: current } = await untilLookedThrough(service);
  expect(rotation?.status).toBe("failed");
  const failed = await databasesOf(address, "&status=failed");
  expect(failed).toMatchObject([
    { database: company.slug, error: "unavailable", looked_at: expect.any(String) },
  ]);
  const done = await databasesOf(address, "&status=done");
  expect(done.map(({ database }) => database)).toEqual(expect.arrayContaining(["control", other.slug]));

  await company.faults();
  await lookAgain();
  await expect
    .poll(async () => {
      await cron();
      return (await stateOf(address)).rotation?.status;
    })
    .toBe("done");
  expect(await credentials()).toMatch(new RegExp(`^v2\\.${current}\\.`));
});

test("what opens with no key stays as it is and is named, and all else beside it is encrypted anew", async () => {
  await sealOlder();
  const strange = "v2.aaaaaaaaaaaa.";
  const change = `UPDATE gateway_accounts SET webhook_secret = '${strange}' || substr(webhook_secret, 17)`;
  await company.database().execute(change);
  await startRotation(address);
  const { rotation, current_key_id: current } = await untilLookedThrough(service);
  expect(rotation?.status).toBe("failed");
  expect(rotation?.values).toContainEqual({ key_id: "aaaaaaaaaaaa", values: 1 });
  expect(await own()).toMatchObject({ status: "failed", error: "no_key_opens" });
  expect((await own())?.values).toEqual(
    expect.arrayContaining([
      { column: "gateway_accounts.credentials", key_id: current, values: 1 },
      { column: "gateway_accounts.webhook_secret", key_id: "aaaaaaaaaaaa", values: 1 },
    ]),
  );
  await company.database().execute("UPDATE gateway_accounts SET webhook_secret = NULL");
});

test("a secret that is changed while it is encrypted anew stays changed", async () => {
  await sealOlder();
  const right = await credentials();
  const wrong = { key_id: "rzp_test_wrong", key_secret: "a-wrong-secret" };
  must(await company.call("PATCH", `${GATEWAYS}/${id}`, { body: { credentials: wrong } }), 200);
  // The company's notice of it is a write of its own, which the delay below is not for.
  const due = "SELECT count(*) AS n FROM notifications WHERE state = 'due'";
  await expect.poll(async () => (await company.database().execute(due)).rows[0]?.n).toBe(0);
  await sealOlder();
  await startRotation(address);
  const before = (await requestCounts(address))[company.namespace] ?? 0;
  // The first column's write is on its way for so long that another write comes first.
  await company.faults({ kind: "delay", delay_ms: 4_000, writes_only: true, times: 1 });
  await cron();
  await expect.poll(async () => (await requestCounts(address))[company.namespace]).toBeGreaterThan(before);
  const direct = createClient({
    url: `${service.libsql.direct().url}/dev/${company.namespace}/`,
    authToken: service.libsql.token,
  });
  await direct.execute({ sql: "UPDATE gateway_accounts SET credentials = ?", args: [right] });
  await expect.poll(async () => (await own())?.looked_at, { timeout: 20_000 }).toEqual(expect.any(String));
  // The change was made, nothing was put over it, and so the company has to be looked through again.
  expect(await credentials()).toBe(right);
  expect(await own()).toMatchObject({ status: "waiting" });

  const { rotation, current_key_id: current } = await untilLookedThrough(service);
  expect(rotation?.status).toBe("done");
  expect(await credentials()).toMatch(new RegExp(`^v2\\.${current}\\.`));
  await placeOrder(company);
});

test("a database of many rows is looked through in bounded steps, and goes on where it stopped, also after a restart", async () => {
  const headers = { "Idempotency-Key": randomUUID() };
  must(await company.call("POST", PROVIDERS, { body: CONFIGS.msg91(), headers }), 201);
  const database = company.database();
  await database.execute("UPDATE operations SET scope = 'zz' || scope WHERE snapshot LIKE '%sealed_token%'");
  await database.execute(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4500)
    INSERT INTO operations (scope, fingerprint, snapshot, created_at, expires_at)
    SELECT 'filler' || printf('%06d', i), '', '{"id":1}', 0, ${Date.now() + 86_400_000} FROM n`);
  await service.restart({ MASTER_KEY: keyOf(2), PREVIOUS_MASTER_KEY: keyOf(1) });
  await startRotation(address);
  await cron();
  await expect.poll(async () => (await own())?.looked_at, { timeout: 20_000 }).toEqual(expect.any(String));
  expect(await own()).toMatchObject({ status: "waiting", error: null });
  const { rows } = await controlOf(service).execute(
    `SELECT progress FROM ${RUNS} WHERE progress IS NOT NULL`,
  );
  expect(rows).toHaveLength(1);

  await service.restart({ MASTER_KEY: keyOf(2), PREVIOUS_MASTER_KEY: keyOf(1) });
  const requests = async () => (await requestCounts(address))[company.namespace] ?? 0;
  const before = await requests();
  const { rotation, current_key_id: current } = await untilLookedThrough(service);
  expect(rotation?.status).toBe("done");
  // What the first slice read, in 24 requests, is not read again: with that it would be 60.
  expect((await requests()) - before).toBeLessThan(45);
  const remembered = await database.execute("SELECT snapshot FROM operations WHERE scope LIKE 'zz%'");
  expect(String(remembered.rows[0]?.snapshot)).toContain(`"v2.${current}.`);
});

test("an isolate that has another current key than the rotation touches nothing", async () => {
  await startRotation(address);
  await controlOf(service).execute("UPDATE key_rotations SET key_id = '000000000000'");
  const before = await credentials();
  await cron();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await credentials()).toBe(before);
  expect(await own()).toMatchObject({ status: "waiting", looked_at: null });
});
