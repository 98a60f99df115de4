import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { SCOPES } from "#api/operations/scopes.ts";
import { refusal } from "../../features/refusal.ts";
import { companyOf, type Key, must, platform, randomSlug } from "../../support/company.ts";
import {
  activation,
  COMPANIES,
  configOf,
  control,
  create,
  data,
  databaseOf,
  die,
  dieAt,
  expectNothingAbandoned,
  expectUsable,
  type Fields,
  live,
  nameOf,
  nthOf,
  post,
  service,
  sqld,
  sweep,
  useOwnService,
} from "./provisioning.ts";

await useOwnService();

test("a namespace made by hand keeps its row, whatever a company is called", async () => {
  const foreign = randomSlug();
  must(await platform("POST", "/platform/migrations", undefined, service), 200);
  await sqld.admin("POST", `/v1/namespaces/${foreign}/create`, {});
  for (const name of ["default", foreign])
    await databaseOf(name).executeMultiple("CREATE TABLE kept (x); INSERT INTO kept VALUES ('row')");
  const answers = [await create("control"), await create("default"), await create(foreign)];
  for (const name of ["default", foreign])
    expect((await databaseOf(name).execute("SELECT x FROM kept")).rows[0]?.x).toBe("row");
  const reserved = { status: 422, body: { errors: [{ field: "slug", code: "reserved" }] } };
  expect(answers).toMatchObject([reserved, reserved, { status: 409, body: { code: "conflict" } }]);
  expect((await control("SELECT 1 FROM companies WHERE slug = ?", foreign)).rows).toEqual([]);
});

test("the answer of a creation is given again, its key's secret too, until that key is first used", async () => {
  const [slug, key] = [randomSlug(), randomUUID()];
  const first = must(await create(slug, key), 201);
  const again = must(await create(slug, key), 201);
  expect(again.text).toBe(first.text);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(await create(slug, key, { name: "Other" })).toMatchObject(refusal(422, "idempotency_key_reused"));
  expect((await create(randomSlug(), "two words")).body.code).toBe("invalid_idempotency_key");
  await expectUsable(first.body.data);
  const { client_id } = first.body.data.admin_key;
  const replay = async () => must(await create(slug, key), 201).body.data.admin_key;
  await expect.poll(replay).toEqual({ client_id, client_secret: null });
  expect(JSON.stringify((await control("SELECT snapshot FROM operations")).rows)).toContain(client_id);
  const kept = "SELECT 1 FROM operations WHERE json_extract(snapshot, '$.slug') = ? AND instr(snapshot, ?)";
  expect((await control(kept, slug, "sealed")).rows).toEqual([]);
});

test("ten creations with one key open one company, and all who are answered hear the same", async () => {
  const [slug, key] = [randomSlug(), randomUUID()];
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(slug, key)));
  const opened = answers.filter(({ status }) => status === 201);
  expect(new Set(opened.map(({ text }) => text)).size).toBe(1);
  for (const { status, body } of answers)
    if (status !== 201) expect(body.code).toBe("idempotency_key_in_use");
  await expectNothingAbandoned();
});

test.each([
  ["before its database is made", () => (line: string) => line.endsWith("/create"), "request"],
  ["after its database is made", () => (line: string) => line.endsWith("/create"), "answer"],
  ["before its database bears its name", () => nthOf("/dev/co-", 1), "request"],
  ["while its database is filled", () => nthOf("/dev/co-", 3), "answer"],
  ["before its company is active", activation, "request"],
  ["after its company is active", activation, "answer"],
] as const)("a creation that died %s is finished by a retry with its key", async (_, step, how) => {
  const [slug, key] = [randomSlug(), randomUUID()];
  dieAt(step(), how);
  expect((await create(slug, key)).status).toBe(503);
  live();
  const name = await nameOf(slug);
  expect(name).toBeTypeOf("string");
  const answer = must(await create(slug, key), 201);
  expect(await nameOf(slug)).toBe(name);
  await expectUsable(answer.body.data);
  await expectNothingAbandoned();
});

test("a creation that died is undone by the hourly jobs once its time is over, and not before", async () => {
  const slug = randomSlug();
  const name = await die(slug, randomUUID());
  await sweep();
  expect(await sqld.namespaces()).toContain(name);
  expect(await create(slug)).toMatchObject({ status: 409, body: { code: "conflict" } });
  await control("UPDATE companies SET reserved_at = 0 WHERE slug = ?", slug);
  await sweep();
  await expect.poll(() => sqld.namespaces()).not.toContain(name);
  await expectNothingAbandoned();
  await expectUsable(must(await create(slug), 201).body.data);
});

test("a slug whose creation died is free for the next once its time is over, with a database of its own", async () => {
  const slug = randomSlug();
  const name = await die(slug, randomUUID());
  await control("UPDATE companies SET reserved_at = 0 WHERE slug = ?", slug);
  await expectUsable(must(await create(slug, randomUUID()), 201).body.data);
  expect(await nameOf(slug)).not.toBe(name);
  await expectNothingAbandoned();
});

test("a database that bears another name is never deleted, nor gone on with", async () => {
  const [slug, key] = [randomSlug(), randomUUID()];
  const name = await die(slug, key);
  await databaseOf(name).execute("UPDATE database_name SET name = 'another'");
  expect(await create(slug, key)).toMatchObject({ status: 409, body: { code: "conflict" } });
  await sweep();
  expect((await control("SELECT 1 FROM companies WHERE slug = ?", slug)).rows).toEqual([]);
  expect((await databaseOf(name).execute("SELECT name FROM database_name")).rows[0]?.name).toBe("another");
  await sqld.admin("DELETE", `/v1/namespaces/${name}`);
});

test("a creation that fails leaves its slug free at once; a database out of reach goes with a later sweep", async () => {
  const slug = randomSlug();
  data.lose((line) => (line.includes("/dev/co-") ? "request" : undefined));
  const failed = await create(slug);
  expect(failed.status).toBe(503);
  // The address of the error is one of this service, which is here too.
  expect(failed.text.replace(failed.body.type, "")).not.toMatch(/libsql|localhost|127\.0\.0\.1/);
  expect(await nameOf(slug)).toBeUndefined();
  live();
  await expectUsable(must(await create(slug), 201).body.data);
  await sweep();
  await expect.poll(async () => (await control("SELECT name FROM abandoned_databases")).rows).toEqual([]);
  await expectNothingAbandoned();
});

test("a creation survives the loss of a single answer of the database at any step", async () => {
  for (const n of [1, 2, 3, 4]) {
    const loses = nthOf("/dev/co-", n);
    data.lose((line) => (loses(line) ? "answer" : undefined));
    await expectUsable(must(await create(randomSlug()), 201).body.data);
  }
  await expectNothingAbandoned();
});

test("a company that lost its administrator's key gets another, whose answer is given again until it is used", async () => {
  const opened = must(await create(randomSlug()), 201).body.data;
  const path = `${COMPANIES}/${opened.slug}/keys`;
  const key = randomUUID();
  const made = must(await post<Key & { scopes: string[] }>(path, key), 201);
  expect(made.body.data).toMatchObject({ name: "Administrator", type: "secret", scopes: [...SCOPES] });
  expect(must(await post(path, key), 201).text).toBe(made.text);

  const company = await companyOf({ ...opened, admin_key: made.body.data }, service);
  expect(must(await company.call("GET", "/settings/:company/keys"), 200).body.data).toHaveLength(2);
  const { body } = must(await company.call<Fields[]>("GET", "/settings/:company/audit-log/keys"), 200);
  expect(body.data).toMatchObject([{ action: "createAdminKey", record: made.body.data.client_id }]);
  const secret = async () => must(await post<Key>(path, key), 201).body.data.client_secret;
  await expect.poll(secret).toBeNull();
  expect(await post(`${COMPANIES}/${randomSlug()}/keys`)).toMatchObject(refusal(404, "company_not_found"));
});

test("bringing databases up to date makes their commits durable, and changes nothing else of them", async () => {
  const { slug } = must(await create(randomSlug()), 201).body.data;
  expect((await post(`${COMPANIES}/${randomSlug()}/migrations`)).status).toBe(404);
  const name = String(await nameOf(slug));
  const config = {
    block_reads: false,
    block_writes: false,
    block_reason: "none",
    max_db_size: "1234567KB",
    allow_attach: true,
    txn_timeout_s: 7,
    durability_mode: "relaxed",
  };
  for (const [namespace, path, rest] of [
    [name, `${COMPANIES}/${slug}/migrations`, { id: slug, token: "kept" }],
    ["control", "/platform/migrations", { id: "control" }],
  ] as const) {
    await sqld.admin("POST", `/v1/namespaces/${namespace}/config`, config);
    const before = await configOf(namespace);
    const migrate = async () => must(await post(path), 200).body.data;
    expect(await migrate()).toEqual({ ...rest, applied: [], durability: "set" });
    expect(await configOf(namespace)).toEqual({ ...before, durability_mode: "strong" });
    expect(await migrate()).toEqual({ ...rest, applied: [], durability: "strong" });
  }
});

test("a company that an older token opened is opened by today's, once it is migrated", async () => {
  const opened = must(await create(randomSlug()), 201).body.data;
  const { slug } = opened;
  const company = await companyOf(opened, service);
  // As one opened before the data port asked for a token.
  await control("UPDATE companies SET database_token = NULL WHERE slug = ?", slug);
  expect((await company.call("GET", "/customers/:company")).status).toBe(503);

  const path = `${COMPANIES}/${slug}/migrations`;
  expect(must(await post<Fields>(path), 200).body.data).toMatchObject({ token: "renewed" });
  await expect.poll(async () => (await company.call("GET", "/customers/:company")).status).toBe(200);
  expect(must(await post<Fields>(path), 200).body.data).toMatchObject({ token: "kept" });
});
