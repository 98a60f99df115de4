import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { createClient } from "@libsql/client/web";
import { afterAll, expect, test } from "vitest";
import { Stream } from "#cli/backup/database/stream.ts";
import { dump } from "#cli/backup/dump/dump.ts";
import { Database } from "#core/database/database.ts";
import { COMPANY_MIGRATIONS, CONTROL_MIGRATIONS } from "#migrations";
import { hashed, migrate } from "#tenancy/migrations/migrate.ts";
import { filesOf } from "#tenancy/migrations/missing-and-changed.ts";
import { CLI, type Ran, companyOps as run } from "../../support/company-ops.ts";
import { useFolder } from "../../support/folder.ts";
import { startSqld } from "../../support/libsql/bare-sqld.ts";
import { serveOwn } from "../../support/own-server.ts";
import { refusalOf } from "../../support/refusal.ts";

const SLUG = "asha-traders";
const CUSTOMERS = 5_000;
const NAMES = [
  "O'Brien; -- part",
  "line\nof\r\ntext\n-- part\n",
  "back\\nslash\nhere",
  "zero\0inside",
  "ಮೀರಾ 🪔",
];

const path = useFolder();
const address = (name: string) => ({ url: `${sqld.url}/dev/${name}/`, token: sqld.token });

const sqld = await startSqld();
for (const [name, migrations] of [
  ["control", CONTROL_MIGRATIONS],
  ["co-asha", COMPANY_MIGRATIONS],
] as const) {
  const made = await sqld.admin("POST", `/v1/namespaces/${name}/create`, {});
  expect(made.status).toBe(200);
  await migrate(new Database(address(name)), migrations, 0);
}
const control = createClient({ url: address("control").url, authToken: sqld.token });
await control.execute({
  sql: `INSERT INTO companies (slug, name, country, currency, timezone, status, database_name, database_url, reservation,
    reserved_at, created_at, updated_at) VALUES (?, 'Asha Traders', 'IN', 'INR', 'Asia/Kolkata', 'active', 'co-asha', ?, '', 0, 0, 0)`,
  args: [SLUG, address("co-asha").url],
});
const company = createClient({ url: address("co-asha").url, authToken: sqld.token });
const names = [...NAMES, ...Array.from({ length: CUSTOMERS - NAMES.length }, (_, at) => `Customer ${at}`)];
await addCustomers(names);
afterAll(() => sqld.stop());

function addCustomers(names: readonly string[]) {
  const sql = `INSERT INTO customers (operation, name, gst_category, state, pincode, country, currency, created_at, updated_at)
    SELECT 'made ' || value, value, 'unregistered', 'Karnataka', '560001', 'IN', 'INR', 0, 0 FROM json_each(?)`;
  return company.execute({ sql, args: [JSON.stringify(names)] });
}

const variables = () => ({
  CONTROL_DATABASE_URL: address("control").url,
  CONTROL_DATABASE_TOKEN: sqld.token,
  SQLD_DATABASE_TOKEN: sqld.token,
});

function companyOps(words: string[]): Promise<Ran> {
  return run(words, { env: { ...process.env, ...variables() }, cwd: path() });
}

/** The rows that a query has, on the server and in a file of plain SQL. */
async function onBoth(file: string, query: string) {
  const plain = new DatabaseSync(":memory:");
  plain.exec(await readFile(path(file), "utf8"));
  const { rows } = await company.execute(query);
  const there = rows.map((row) => ({ ...row }));
  const here = plain
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));
  plain.close();
  return { here, there };
}

test("an export is SQL that plain SQLite reads: schema, rows, ids and full-text tables", async () => {
  const ran = await companyOps(["export", SLUG, "asha.sql"]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain("; for sqlite3 3.43 or newer");
  expect((await stat(path("asha.sql"))).mode & 0o777).toBe(0o600);
  expect((await readFile(path("asha.sql"), "utf8")).split("\n")[0]).toMatch(/^-- For sqlite3 3\.43 or newer/);
  for (const query of [
    "SELECT id, name FROM customers ORDER BY id",
    "SELECT * FROM accounts ORDER BY id",
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' AND name NOT LIKE 'libsql%' ORDER BY name",
    "SELECT name, seq FROM sqlite_sequence ORDER BY name",
    `SELECT rowid FROM customers_search WHERE customers_search MATCH '"omer 49"' ORDER BY rowid`,
  ]) {
    const { here, there } = await onBoth("asha.sql", query);
    expect(there.length).toBeGreaterThan(1);
    expect(here).toEqual(there);
  }
});

test("a dump is of one moment: what is written while it is read is not in it", async () => {
  const stream = new Stream(address("co-asha"));
  let text = "";
  for await (const part of dump(stream)) {
    if (text === "") await addCustomers(["Late Traders"]);
    text += part;
  }
  await stream.end();
  expect(text).toContain("'Customer 4000'");
  expect(text).not.toContain("'Late Traders'");
  const { rows } = await company.execute("SELECT count(*) AS n FROM customers WHERE name = 'Late Traders'");
  expect(rows[0]?.n).toBe(1);
});

test("a table is read in pages of bounded size, however wide its rows are", async () => {
  const notes = "x".repeat(300_000);
  await company.execute({
    sql: "UPDATE customers SET notes = ? WHERE id BETWEEN 100 AND 120",
    args: [notes],
  });
  const stream = new Stream(address("co-asha"));
  let [widest, parts] = [0, 0];
  for await (const part of dump(stream)) {
    widest = Math.max(widest, part.length);
    parts += part.includes('INTO "customers"') ? 1 : 0;
  }
  await stream.end();
  await company.execute("UPDATE customers SET notes = NULL");
  expect(parts).toBeGreaterThan(6);
  expect(widest).toBeLessThan(2_000_000);
});

test("a backup says what it is of, and is sound", async () => {
  const unrecorded = { code: 0, stderr: expect.stringMatching(/^The service did not record this/) };
  expect(await companyOps(["backup", SLUG, "asha.backup"])).toMatchObject(unrecorded);
  const sql = gunzipSync(await readFile(path("asha.backup"))).toString();
  new DatabaseSync(":memory:").exec(sql);
  const verified = await companyOps(["verify", "asha.backup", "--json"]);
  expect(verified).toMatchObject({ code: 0, stderr: "" });
  const { rows } = await company.execute("SELECT count(*) AS n FROM customers");
  expect(JSON.parse(verified.stdout)).toMatchObject({
    ok: true,
    problems: [],
    release: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    source: { control: false, company: { slug: SLUG, name: "Asha Traders", currency: "INR" } },
    taken_at: expect.stringMatching(/^\d{4}-.*Z$/),
    migrations: Object.fromEntries(
      filesOf(await hashed(COMPANY_MIGRATIONS)).map((one) => [one.name, one.sha256]),
    ),
    tables: { customers: { rows: rows[0]?.n, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  });
  const { stdout } = await companyOps(["verify", "asha.backup"]);
  expect(stdout).toMatch(/company asha-traders of .*: sound, \d+ rows/);
  expect(await readdir(path())).toEqual(["asha.backup", "asha.sql"]);
});

test("the control database has a backup of its own", async () => {
  expect(await companyOps(["backup", "--control", "control.backup"])).toMatchObject({ code: 0 });
  const verified = JSON.parse((await companyOps(["verify", "control.backup", "--json"])).stdout);
  expect(verified).toMatchObject({ ok: true, source: { control: true }, tables: { companies: { rows: 1 } } });
});

test.each(["SIGINT", "SIGTERM"] as const)("a backup that %s ends leaves no file", async (signal) => {
  // A database that is asked and never answers.
  let asked = () => {};
  const stalled = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const server = await serveOwn(() => asked());
  const own = path(signal);
  await mkdir(own);
  const { MASTER_KEY: _, PREVIOUS_MASTER_KEY: __, ...others } = process.env;
  const control = { CONTROL_DATABASE_URL: server.url, CONTROL_DATABASE_TOKEN: "none" };
  const env = { ...others, ...control };
  const words = ["backup", "--control", "control.backup"];
  const child = spawn(process.execPath, [CLI, ...words], { env, cwd: own, stdio: "ignore" });
  const ended = once(child, "exit");
  await stalled;
  const beside = (await readdir(own)).map((name) => name.replace(/[0-9a-f]{32}/, ""));
  const kinds = [".files", ".partial", ".rows"];
  expect(beside.toSorted()).toEqual(kinds.map((kind) => `company-ops-${kind}`));
  child.kill(signal);
  expect(await ended).toEqual([null, signal]);
  expect(await readdir(own)).toEqual([]);
  server.stop();
});

test.each<[string[], NodeJS.ProcessEnv, string]>([
  [["export", SLUG, "/proc/version"], {}, "/proc/version is there already"],
  [["backup", "unknown", "x"], {}, "There is no company unknown"],
  [["backup", SLUG], {}, "SLUG or FILE is missing"],
  [["backup", "--control"], {}, "FILE is missing"],
  [["backup", SLUG, "no/folder/x"], {}, "no/folder/x cannot be written: there is no folder no/folder"],
  [["backup", SLUG, "/proc/x"], {}, "/proc/x cannot be written: its folder takes no new file"],
  [["backup", "--control", SLUG, "x"], {}, "--control, --database and --all take FILE and no company"],
  [["backup", SLUG, "x"], { CONTROL_DATABASE_URL: "" }, "CONTROL_DATABASE_URL is missing"],
  [["backup", SLUG, "x"], { CONTROL_DATABASE_URL: "here" }, "CONTROL_DATABASE_URL here is no address"],
  [["backup", SLUG, "x"], { CONTROL_DATABASE_TOKEN: "no" }, "refuses the token"],
  [["backup", SLUG, "x"], { SQLD_DATABASE_TOKEN: "" }, "MASTER_KEY too"],
  [["backup", SLUG, "x"], { CONTROL_DATABASE_URL: "http://127.0.0.1:1/" }, "does not answer"],
  [["verify", "nothing.backup"], {}, "There is no nothing.backup"],
])("%j is refused", async (words, more, told) => {
  expect(await refusalOf(words, { ...variables(), ...more })).toContain(told);
});
