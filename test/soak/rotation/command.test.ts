import { expect, test } from "vitest";
import { REGISTERED } from "../../features/commerce.ts";
import { openCompany, platform, requestCounts } from "../../support/company.ts";
import { companyOps } from "../../support/company-ops.ts";
import { connectGateway } from "../../support/gateways.ts";
import { askAdmin } from "../../support/libsql/index.ts";
import { operatorOf } from "../../support/operator.ts";
import { ownService } from "../../support/own-service.ts";
import { PLATFORM_TOKEN } from "../../support/service.ts";
import { controlOf, databasesOf, keyOf, startRotation, stateOf, untilLookedThrough } from "./rotation.ts";

const service = await ownService([], { variables: { MASTER_KEY: keyOf(3) } });
const { address } = service;
const company = await openCompany(REGISTERED, address);
await connectGateway(company, "razorpay");

const masterKey = (...words: string[]) =>
  companyOps(["master-key", ...words], { env: operatorOf(service.address) });

const PATIENT = { timeout: 300_000 };

test(
  "the command line starts a rotation, and watches it to the word that the old key may be dropped",
  PATIENT,
  async () => {
    const none = expect.stringContaining("Nothing was encrypted anew yet");
    expect(await masterKey("status")).toMatchObject({ code: 0, stdout: none });
    const { current_key_id: old } = await stateOf(address);
    await service.restart({ MASTER_KEY: keyOf(4), PREVIOUS_MASTER_KEY: keyOf(3) });
    const { current_key_id: current } = await stateOf(address);
    // What another key encrypted is work left, before and while it is encrypted anew.
    expect(await masterKey("status")).toMatchObject({ code: 1 });
    const { code, stdout: begun } = await masterKey("rotate");
    expect(code).toBe(0);
    expect(begun).toContain(`Begun: everything is being encrypted with ${current} anew`);
    expect(begun).toContain("master-key status --watch");
    for (const more of [[], ["--json"]])
      expect(await masterKey("status", ...more)).toMatchObject({
        code: 1,
        stdout: expect.stringContaining("waiting"),
      });
    const [{ stdout, ...ended }] = await Promise.all([
      masterKey("status", "--watch"),
      untilLookedThrough(service),
    ]);
    expect(ended).toMatchObject({ code: 0 });
    expect(stdout).toContain(`MASTER_KEY is ${current}, PREVIOUS_MASTER_KEY ${old}`);
    expect(stdout).toContain("Databases: 2 done, 0 waiting, 0 failed");
    expect(stdout).toMatch(new RegExp(`\\d values are encrypted with ${current}`));
    expect(stdout).toContain("Nothing needs PREVIOUS_MASTER_KEY any more: it may be dropped");
    expect(JSON.parse((await masterKey("status", "--json")).stdout)).toMatchObject({
      current_key_id: current,
      rotation: { status: "done" },
      left: [],
    });
  },
);

test("the command line names what is left where, by column and key, and fails then", PATIENT, async () => {
  const strange =
    "UPDATE gateway_accounts SET webhook_secret = 'v2.bbbbbbbbbbbb.' || substr(webhook_secret, 17)";
  await company.database().execute(strange);
  await startRotation(address);
  await untilLookedThrough(service);
  const failed = await masterKey("status");
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stdout).toContain(`${company.slug}: no_key_opens`);
  expect(failed.stdout).toContain("1 of gateway_accounts.webhook_secret with bbbbbbbbbbbb");
  expect(failed.stdout).not.toContain("may be dropped");
});

test("each read of it is one request to the control database, its start at most two, and lists go by pages", async () => {
  const others = await Promise.all([1, 2, 3].map(() => openCompany({}, address)));
  const requests = async () => (await requestCounts(address)).control ?? 0;
  const counted = async (call: () => Promise<unknown>) => {
    const before = await requests();
    await call();
    return (await requests()) - before;
  };
  expect(await counted(() => startRotation(address))).toBeLessThanOrEqual(2);
  expect(await counted(() => stateOf(address))).toBe(1);
  expect(await counted(() => databasesOf(address))).toBe(1);
  const names: string[] = [];
  for (let cursor = ""; ; ) {
    const path = `/platform/key-rotation/databases?limit=2${cursor}`;
    const { body } = await platform<{ database: string }[]>("GET", path, undefined, address);
    names.push(...body.data.map(({ database }) => database));
    if (!body.paging.has_more) break;
    cursor = `&cursor=${body.paging.next_cursor}`;
  }
  expect(names).toEqual(["control", company.slug, ...names.slice(2)]);
  expect(names.slice(2).sort()).toEqual(others.map(({ slug }) => slug).sort());
});

test("a call that is sent again with its Idempotency-Key starts one rotation, and a company that is gone is not waited for", async () => {
  const call = () =>
    fetch(`${service.url}/platform/key-rotation`, {
      method: "POST",
      headers: { Authorization: `Bearer ${PLATFORM_TOKEN}`, "Idempotency-Key": "rotate-once" },
    });
  const counted = async () =>
    Number((await controlOf(service).execute("SELECT count(*) AS n FROM key_rotations")).rows[0]?.n);
  const before = await counted();
  const [first, again] = [await call(), await call()];
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(await again.text()).toBe(await first.text());
  expect(await counted()).toBe(before + 1);

  const slug = "doctor-0123456789abcdef";
  const gone = await platform("POST", "/platform/companies", { slug, name: "Gone" }, address);
  expect(gone.status).toBe(201);
  await startRotation(address);
  const { rotation } = await stateOf(address);
  expect((await platform("DELETE", `/platform/companies/${slug}`, undefined, address)).status).toBe(200);
  const left = (await stateOf(address)).rotation;
  expect(left?.databases.waiting).toBe(Number(rotation?.databases.waiting) - 1);
  await untilLookedThrough(service);
});

test("a closed company whose database was removed keeps no old key in use", PATIENT, async () => {
  const gone = await openCompany({}, address);
  await startRotation(address);
  expect((await platform("POST", `/platform/companies/${gone.slug}/close`, undefined, address)).status).toBe(
    200,
  );
  await askAdmin(service.libsql.direct().adminUrl, "DELETE", `/v1/namespaces/${gone.namespace}`);
  await untilLookedThrough(service);
  const names = async () => (await databasesOf(address)).map(({ database }) => database);
  expect(await names()).not.toContain(gone.slug);
  await startRotation(address);
  await untilLookedThrough(service);
  expect(await names()).not.toContain(gone.slug);
});

test(
  "under a wrong master key the command line says that the service lacks the right one",
  PATIENT,
  async () => {
    const told = "The service lacks the master key of its companies";
    expect((await masterKey("status")).stdout).not.toContain(told);
    await service.restart({ MASTER_KEY: keyOf(9) });
    expect(await masterKey("status")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(told),
    });
    const { stdout } = await masterKey("status", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ lacks_key: true });
  },
);
