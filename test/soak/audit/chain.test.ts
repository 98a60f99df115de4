import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { newCustomer } from "../../features/commerce.ts";
import { controlRows, openCompany, type TestCompany } from "../../support/company.ts";
import { check, rowsAsWritten, sentences, tamper } from "../../tenancy/companies/self-check.ts";

const DAY = 86_400;
const CHAIN = "the audit log is what its chain says";
const HEAD = "the audit log leads through the link that the control database knows";
const CUT = "the audit log was cut where it is ten years old";
const WHOLE = "the audit log is whole";

let company: TestCompany;

async function number(select: string): Promise<number> {
  const [row] = await company.rows(`SELECT (${select}) AS n`);
  return Number(row?.n);
}

const links = () => number("SELECT count(*) FROM audit_links");
const newest = () => number("SELECT max(id) FROM audit_log");

async function write(times = 1): Promise<void> {
  for (let left = times; left > 0; left -= 1) await newCustomer(company);
}

/** Rows of the audit log that no link holds yet. */
async function fill(rows: number): Promise<void> {
  await write();
  await company.rows(`INSERT INTO audit_log (at, actor, action, record, request_id)
      WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${rows - 1})
      SELECT at, actor, action, record, request_id FROM audit_log, n`);
}

async function head(): Promise<number> {
  const sql = "SELECT last_id FROM audit_heads JOIN companies ON companies.id = company_id WHERE slug = ?";
  return Number((await controlRows(sql, company.slug))[0]?.last_id ?? 0);
}

const isWhole = async () => (await head()) === (await newest());
/** Lets the hourly jobs chain the log to its end: they do so first, and again at their own end. */
const sweep = () => company.sweep(isWhole);

/** Wakes the company's clock, which chains the log once, so many seconds from now. */
async function chain(seconds = 0): Promise<void> {
  await company.clock(seconds);
  await vi.waitUntil(isWhole, { timeout: 20_000, interval: 100 });
}

test("the hourly jobs chain the log from its first row on, and go on from there; no link is long", async () => {
  company = await openCompany();
  await fill(1_200);
  await sweep();
  expect(await company.rows("SELECT last_id FROM audit_links")).toMatchObject([
    { last_id: 500 },
    { last_id: 1_000 },
    { last_id: 1_200 },
  ]);
  await write(2);
  expect(sentences(await check(company))).toEqual([]);
  await chain();
  expect(await number("SELECT max(last_id) FROM audit_links")).toBe(1_202);
  expect(await check(company)).toMatchObject({ sound: true, skipped: [] });
});

test("a row is chained within a minute of its commit, without a call", async () => {
  const own = await openCompany();
  await newCustomer(own);
  const count = async () => (await own.rows("SELECT last_id, chained_at FROM audit_links")).length;
  await vi.waitUntil(async () => (await count()) === 1, { timeout: 60_000, interval: 500 });
  const [late] = await own.rows(
    "SELECT (SELECT max(chained_at) FROM audit_links) - min(at) AS ms FROM audit_log",
  );
  expect(Number(late?.ms)).toBeLessThanOrEqual(60_000);
  expect(await check(own)).toMatchObject({ sound: true, skipped: [] });
}, 90_000);

test("links cannot be changed", async () => {
  const database = company.database();
  await expect(database.execute("DELETE FROM audit_links")).rejects.toThrow("append_only");
  await expect(database.execute("UPDATE audit_links SET hash = ''")).rejects.toThrow("append_only");
});

describe("the self-check finds", () => {
  const CUT_TAIL = [
    "DELETE FROM audit_log WHERE id > 5",
    "DELETE FROM audit_links WHERE last_id > 5",
    "UPDATE sqlite_sequence SET seq = 5 WHERE name = 'audit_log'",
  ];
  const insertOne = (id: number) => `INSERT INTO audit_log (id, at, actor, action, record, request_id)
    SELECT ${id}, at, actor, 'deleteCustomer', record, request_id FROM audit_log WHERE id = 1`;
  const tables = ["audit_log", "audit_changes", "audit_links", "audit_cut"];
  let untouched: string[];

  beforeAll(async () => {
    company = await openCompany();
    await write(4);
    await company.change("/customers/:company/1", { phone: "+919847012345", payment_terms_days: 45 });
    await chain();
    await write(2);
    await chain();
    expect(await links()).toBe(2);
    await company.rows("DELETE FROM operations");
    const sequence = "UPDATE sqlite_sequence SET seq = 7 WHERE name = 'audit_log'";
    untouched = [sequence, ...(await rowsAsWritten(company, tables))];
  });

  afterEach(async () => {
    await tamper(company, [...tables.map((table) => `DELETE FROM ${table}`), ...untouched]);
    expect(sentences(await check(company))).toEqual([]);
  });

  test.each<[string, string[], string[]]>([
    ["a changed row", ["UPDATE audit_log SET actor = 'no-one' WHERE id = 2"], [CHAIN]],
    ["a row whose time was changed", ["UPDATE audit_log SET at = at + 1 WHERE id = 7"], [CHAIN]],
    ["other names of changed fields", [`UPDATE audit_changes SET fields = '["name"]'`], [CHAIN]],
    ["other values of changed fields", ["UPDATE audit_changes SET kept = replace(kept, 45, 46)"], [CHAIN]],
    ["removed values of changed fields", ["UPDATE audit_changes SET kept = NULL"], [CHAIN]],
    ["a removed row in the middle", ["DELETE FROM audit_log WHERE id = 3"], [WHOLE, CHAIN]],
    [
      "a removed row whose place the others took",
      [
        "DELETE FROM audit_log WHERE id = 3",
        "UPDATE audit_log SET id = id - 1 WHERE id > 3",
        "UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'audit_log'",
      ],
      [CHAIN],
    ],
    [
      "an inserted row",
      [
        "UPDATE audit_log SET id = -id WHERE id >= 3",
        "UPDATE audit_log SET id = 1 - id WHERE id < 0",
        insertOne(3),
        "UPDATE sqlite_sequence SET seq = 8 WHERE name = 'audit_log'",
      ],
      [CHAIN],
    ],
    ["a row before the first", [insertOne(-1)], [WHOLE, CHAIN]],
    ["a cut tail", CUT_TAIL, [HEAD]],
    ["a log without its chain", ["DELETE FROM audit_links"], [HEAD]],
    ["a link that was made up", ["UPDATE audit_links SET hash = upper(hash) WHERE last_id = 5"], [CHAIN]],
    [
      "a beginning that was erased too early",
      [
        "INSERT INTO audit_cut SELECT 1, last_id, hash, chained_at FROM audit_links WHERE last_id = 5",
        "DELETE FROM audit_changes",
        "DELETE FROM audit_log WHERE id <= 5",
        "DELETE FROM audit_links WHERE last_id <= 5",
      ],
      [CUT],
    ],
  ])("%s", async (_what, statements, found) => {
    await tamper(company, statements);
    expect(sentences(await check(company))).toEqual(found);
  });

  test("a cut tail after others were written too, for the log is not chained on", async () => {
    await tamper(company, CUT_TAIL);
    await write(4);
    await company.rows(
      "INSERT INTO operations (scope, fingerprint, created_at, expires_at) VALUES ('gone', '', 0, 1)",
    );
    await company.sweep(
      async () => (await number("SELECT count(*) FROM operations WHERE scope = 'gone'")) === 0,
    );
    expect(await head()).toBe(7);
    // The hourly jobs purge operations first, and chain later.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await links()).toBe(1);
    expect(sentences(await check(company))).toEqual([HEAD]);
    await company.rows("DELETE FROM operations");
  });
});

test("what is ten years old is erased link by link, and the chain goes on from the last of them", async () => {
  company = await openCompany();
  await fill(1_201);
  await chain();
  await company.clock(2 * DAY);
  await write();
  await chain(2 * DAY);
  await company.clock(3_654 * DAY);
  await company.sweep(async () => (await number("SELECT count(*) FROM audit_log")) === 1);
  expect(await company.rows("SELECT last_id FROM audit_links")).toMatchObject([{ last_id: 1_202 }]);
  expect(await number("SELECT last_id FROM audit_cut")).toBe(1_201);
  expect(sentences(await check(company))).toEqual([]);
  await write();
  await chain(3_654 * DAY);
  expect(sentences(await check(company))).toEqual([]);
  await tamper(company, ["UPDATE audit_cut SET chained_at = chained_at - 1"]);
  expect(sentences(await check(company))).toEqual([CHAIN]);
});
