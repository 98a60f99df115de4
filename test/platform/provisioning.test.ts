import { randomUUID } from "node:crypto";
import { type Client, createClient } from "@libsql/client/web";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { SCOPES } from "#contract/scopes.ts";
import { API_TOKEN, GROUP, ORGANIZATION, startTurso } from "../process/turso-stand-in.ts";
import { companyOf, type Key, must, type Opened, platform, randomSlug, runCron } from "../support/company.ts";
import { type Answer, type ServiceAddress, send } from "../support/http.ts";
import { type Loss, type LossyProxy, startLossyProxy } from "../support/lossy-proxy.ts";
import { addressOf, startService } from "../support/service.ts";
import { ADMIN_KEY, type Sqld, startSqld } from "../support/sqld.ts";

const COMPANIES = "/platform/companies";

// A service of its own: what it does to its database server must meet no other test's companies.
let sqld: Sqld;
let admin: LossyProxy;
let data: LossyProxy;
let service: ServiceAddress;
let stop: () => Promise<void>;

beforeAll(async () => {
  sqld = await startSqld();
  [admin, data] = await Promise.all([startLossyProxy(sqld.adminUrl), startLossyProxy(sqld.url)]);
  await sqld.admin("POST", "/v1/namespaces/control/create", {});
  const own = await startService(inject("service").bundle, [], {
    variables: {
      CONTROL_DATABASE_URL: `${data.url}/dev/control/`,
      SQLD_ADMIN_URL: admin.url,
      SQLD_ADMIN_TOKEN: ADMIN_KEY,
      CONTROL_DATABASE_TOKEN: sqld.token,
      SQLD_DATABASE_TOKEN: sqld.token,
      SQLD_DATABASE_URL: `${data.url}/dev/{namespace}/`,
    },
  });
  service = { ...addressOf(own), libsqlUrl: sqld.url, libsqlToken: sqld.token };
  stop = own.stop;
}, 60_000);

afterAll(async () => {
  await stop();
  await Promise.all([admin.stop(), data.stop()]);
  await sqld.stop();
});

beforeEach(() => {
  admin.lose(() => undefined);
  data.lose(() => undefined);
});

type Fields = Record<string, unknown>;

function create(slug: string, key?: string, fields: Fields = {}): Promise<Answer<Opened>> {
  return post<Opened>(COMPANIES, key, { slug, name: "Asha Traders", ...fields });
}

function post<Data>(path: string, key?: string, body?: Fields): Promise<Answer<Data>> {
  const headers = {
    Authorization: `Bearer ${service.platformToken}`,
    ...(key === undefined ? {} : { "Idempotency-Key": key }),
  };
  return send<Data>("POST", path, { body, service, headers });
}

const databaseOf = (namespace: string): Client =>
  createClient({ url: `${sqld.url}/dev/${namespace}/`, authToken: sqld.token });
const control = (sql: string, ...args: string[]) => databaseOf("control").execute({ sql, args });
const nameOf = async (slug: string) =>
  (await control("SELECT database_name AS name FROM companies WHERE slug = ?", slug)).rows[0]?.name;
const configOf = async (namespace: string) =>
  (await (await sqld.admin("GET", `/v1/namespaces/${namespace}/config`)).json()) as Fields;

/** Every database there is belongs to a company, and every company has its own. */
async function expectNothingAbandoned(): Promise<void> {
  const { rows } = await control("SELECT database_name AS name FROM companies");
  const made = (await sqld.namespaces()).filter((name) => name.startsWith("co-"));
  expect(made.sort()).toEqual(rows.map(({ name }) => String(name)).sort());
  expect((await control("SELECT name FROM abandoned_databases")).rows).toEqual([]);
}

async function expectUsable(opened: Opened): Promise<void> {
  const company = await companyOf(opened, service);
  expect(must(await company.call("GET", "/settings/:company/keys"), 200).body.data).toHaveLength(1);
  const years = await databaseOf(company.namespace).execute("SELECT count(*) AS n FROM financial_years");
  expect(years.rows[0]?.n).toBe(1);
}

/** From the first request on that `begins` names nothing passes, not even what would undo the attempt: its process died. */
function dieAt(begins: (line: string) => boolean, how: Loss): void {
  let dead = false;
  for (const proxy of [admin, data])
    proxy.lose((line) => {
      if (dead) return "request";
      dead = begins(line);
      return dead ? how : undefined;
    });
}

function live(): void {
  for (const proxy of [admin, data]) proxy.lose(() => undefined);
}

const sweep = () => runCron(service);

async function die(slug: string, key: string): Promise<string> {
  dieAt(nthOf("/dev/co-", 6), "answer");
  expect((await create(slug, key)).status).toBe(503);
  live();
  return String(await nameOf(slug));
}

function nthOf(part: string, n: number): (line: string) => boolean {
  let seen = 0;
  return (line) => line.includes(part) && ++seen === n;
}

/** The request to the control database that follows those to the company's own: the last of a creation. */
function activation(): (line: string) => boolean {
  let filled = false;
  return (line) => {
    filled ||= line.includes("/dev/co-");
    return filled && line.includes("/dev/control/");
  };
}

test("a company's database has a name of its own, which stands in it, and commits that survive a power cut", async () => {
  const slug = randomSlug();
  const opened = must(await create(slug), 201).body.data;
  const name = String(await nameOf(slug));
  expect(name).toMatch(/^co-[0-9a-z]{26}$/);
  expect(await sqld.namespaces()).not.toContain(slug);
  expect((await databaseOf(name).execute("SELECT name FROM database_name")).rows[0]?.name).toBe(name);
  expect(await configOf(name)).toMatchObject({ durability_mode: "strong" });
  await expectUsable(opened);
});

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

test("a database of Turso's that is called as a company would be keeps its row", async () => {
  const foreign = randomSlug();
  await sqld.admin("POST", `/v1/namespaces/${foreign}/create`, {});
  await databaseOf(foreign).executeMultiple("CREATE TABLE kept (x); INSERT INTO kept VALUES ('row')");
  const turso = await startTurso(sqld);
  const own = await startService(inject("service").bundle, [], {
    variables: {
      CONTROL_DATABASE_URL: `${data.url}/dev/control/`,
      CONTROL_DATABASE_TOKEN: sqld.token,
      DATABASE_PROVIDER: "turso",
      TURSO_API_URL: turso.url,
      TURSO_API_TOKEN: API_TOKEN,
      TURSO_ORGANIZATION: ORGANIZATION,
      TURSO_GROUP: GROUP,
    },
  });
  try {
    const fields = { slug: foreign, name: "Asha Traders" };
    const answer = await platform("POST", COMPANIES, fields, addressOf(own));
    expect(answer).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await databaseOf(foreign).execute("SELECT x FROM kept")).rows[0]?.x).toBe("row");
    expect(await nameOf(foreign)).toBeUndefined();
  } finally {
    await own.stop();
    await turso.stop();
  }
});

test("the answer of a creation is given again, its key's secret too, until that key is first used", async () => {
  const [slug, key] = [randomSlug(), randomUUID()];
  const first = must(await create(slug, key), 201);
  const again = must(await create(slug, key), 201);
  expect(again.text).toBe(first.text);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(await create(slug, key, { name: "Other" })).toMatchObject({
    status: 422,
    body: { code: "idempotency_key_reused" },
  });
  await expectUsable(first.body.data);
  const { client_id } = first.body.data.admin_key;
  const replay = async () => must(await create(slug, key), 201).body.data.admin_key;
  await expect.poll(replay).toEqual({ client_id, client_secret: null });
  expect(JSON.stringify((await control("SELECT snapshot FROM operations")).rows)).toContain(client_id);
  const kept =
    "SELECT 1 FROM operations WHERE json_extract(snapshot, '$.slug') = ? AND snapshot LIKE '%sealed%'";
  expect((await control(kept, slug)).rows).toEqual([]);
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
  ["while its database is filled", () => nthOf("/dev/co-", 6), "answer"],
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

test("a creation that died is undone by housekeeping once its time is over, and not before", async () => {
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
  for (const n of [1, 2, 5, 9]) {
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
  expect(await post(`${COMPANIES}/${randomSlug()}/keys`)).toMatchObject({
    status: 404,
    body: { code: "company_not_found" },
  });
});

test("an Idempotency-Key holds for the platform's other writes, and must be printable", async () => {
  const { slug } = must(await create(randomSlug()), 201).body.data;
  const headers = { Authorization: `Bearer ${service.platformToken}`, "Idempotency-Key": randomUUID() };
  const rename = (name: string) =>
    send("PATCH", `${COMPANIES}/${slug}`, { body: { name }, service, headers });
  const first = must(await rename("Renamed"), 200);
  const again = must(await rename("Renamed"), 200);
  expect(again.text).toBe(first.text);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect((await rename("Twice")).body.code).toBe("idempotency_key_reused");
  expect((await create(randomSlug(), "two words")).body.code).toBe("invalid_idempotency_key");
});

test("bringing databases up to date makes their commits durable, and changes nothing else of them", async () => {
  const { slug } = must(await create(randomSlug()), 201).body.data;
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
