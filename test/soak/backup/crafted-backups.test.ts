import { readFile, writeFile } from "node:fs/promises";
import { createGzip, gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { PART_END } from "#cli/backup/dump/dump.ts";
import { type Header, MARK } from "#cli/backup/file/header.ts";
import { writeBackup } from "#cli/backup/file/write-files.ts";
import { verifyBackup } from "#cli/backup/verify.ts";
import { lineOf, printable } from "#cli/failure.ts";
import { crafted, madeDatabase, SOURCE, withHeader } from "../../cli/backup/made.ts";
import { useFolder } from "../../support/folder.ts";

const NAMES = ["O'Brien; -- part", "line\nof\r\ntext\n-- part\n", "back\\nslash\nhere", "zero\0inside", "''"];

const path = useFolder();
await writeBackup(madeDatabase("company", NAMES), path("sound.backup"), SOURCE);
const sound = await readFile(path("sound.backup"));

/** The problems that are found in a file, or the line that refuses it. */
async function foundIn(content: Buffer): Promise<string> {
  const file = path("crafted.backup");
  await writeFile(file, content);
  return verifyBackup(file).then(({ problems }) => problems.join("\n"), lineOf);
}

function part(sql: string): string {
  return `${sql};\n${PART_END}`;
}

const same = (sql: string) => sql;
const OF_UNITS = /no dump .* INSERT INTO "units"/;

test("what was written is sound, of a company and of the control database", async () => {
  expect(await foundIn(sound)).toBe("");
  expect(await foundIn(crafted(sound, same))).toBe("");
  const control = path("control.backup");
  await writeBackup(madeDatabase("control"), control, { control: true });
  expect(await foundIn(await readFile(control))).toBe("");
});

test.each<[string, string | RegExp, string, RegExp]>([
  [
    "a trigger is gone",
    /CREATE TRIGGER (?:(?!-- part\n).)*-- part\n/s,
    "",
    /schema .* CREATE TRIGGER \w+ .*missing/,
  ],
  ["a trigger is another", /CREATE TRIGGER \w+/, "$&_too", /no dump of its migrations does: CREATE TRIGGER/],
  [
    "a trigger is added",
    "COMMIT;",
    `${part("CREATE TRIGGER t AFTER INSERT ON customers BEGIN DELETE FROM units; END")}$&`,
    /no dump .* CREATE TRIGGER t AFTER INSERT ON customers/,
  ],
  ["a view is added", "COMMIT;", `${part("CREATE VIEW v AS SELECT 1")}$&`, /no dump .* CREATE VIEW v/],
  ["a comment takes a line in", /(-- [^\n]*[a-z.])\n( +\w)/, "$1 $2", /no dump .* CREATE TABLE/],
  ["a transaction ends", "CREATE TABLE", `${part("COMMIT; BEGIN")}$&`, /COMMIT; BEGIN/],
  ["it begins twice", "CREATE TABLE", "BEGIN;\n-- part\n$&", /no dump .* BEGIN/],
  ["something follows the end", /$/, part("SELECT 1"), /no dump .* SELECT 1/],
  ["it has no end", /COMMIT;.*/s, "", /ends early/],
  ["a row is a query", /(INSERT INTO "units"[^\n]* VALUES \()[0-9]+/, "$1(SELECT 1)", OF_UNITS],
  ["a row has a second statement", /INSERT INTO "units"[^\n]*/, "$& DROP TABLE units;", OF_UNITS],
  [
    "a row of an index is written",
    "COMMIT;",
    `${part('INSERT INTO "customers_search_data" (id) VALUES (7)')}$&`,
    /no dump .* INSERT INTO "customers_search_data"/,
  ],
])("a file with sums that fit is not sound where %s", async (_, from, to, told) => {
  const changed = crafted(sound, (sql) => sql.replace(from, to));
  expect(changed.equals(crafted(sound, same))).toBe(false);
  expect(await foundIn(changed)).toMatch(told);
});

const SHA256 = "0".repeat(64);
const company = (more: object) => ({ source: { control: false, company: { ...SOURCE.company, ...more } } });

test.each<[string, object | ((header: Omit<Header, "sha256">) => object), RegExp]>([
  ["control", { source: { control: true } }, /migration 01_database_name is none of the control database/],
  ["no migrations", { migrations: {} }, /no dump of its migrations/],
  [
    "a later one",
    { migrations: { "99_later": SHA256 } },
    /99_later is none of company asha-traders .* its own, 1\.0\.0/,
  ],
  ["a path", { migrations: { "../control/01_core": SHA256 } }, /is none of company/],
  [
    "one without those before",
    ({ migrations }) => ({ migrations: { "10_payments": migrations["10_payments"] } }),
    /10_payments does not follow/,
  ],
  [
    "another text of one",
    ({ migrations }) => ({ migrations: { ...migrations, "06_customers": SHA256 } }),
    /06_customers of the backup has another text than in this release: .* its own, 1\.0\.0/,
  ],
  ["migrations without their texts", { migrations: ["01_core"] }, /wrong: migrations: /],
  [
    "another count",
    ({ tables }) => ({ tables: { ...tables, units: { ...tables.units, rows: 7_000 } } }),
    /units has \d+ rows in place of 7000/,
  ],
  ["no slug", company({ slug: null }), /wrong: source\.company\.slug: /],
  ["a slug of codes", company({ slug: "a\u001b[2J" }), /wrong: source\.company\.slug: /],
  ["no source", { source: null }, /wrong: source: /],
  ["no tables", { tables: [] }, /wrong: tables: /],
  ["no time", { taken_at: "\u001b]0;now" }, /wrong: taken_at: /],
  ["bytes that are none", { sql: { bytes: -1, sha256: "0".repeat(64) } }, /wrong: sql\.bytes: /],
  ["another format", { format: 3, release: "2\u001b[31m" }, /format 3: read it with release 2\\u001b\[31m$/],
  ["no format", { format: null }, /wrong: format: /],
])("a header is not believed that says %s", async (_, more, told) => {
  const say = typeof more === "function" ? more : () => more;
  const file = crafted(sound, same, (header) => ({ ...header, ...say(header) }));
  expect(await foundIn(file)).toMatch(told);
});

test.each<[string, () => Buffer, RegExp]>([
  ["that is cut", () => sound.subarray(0, sound.length - 2_000), /cannot be read: unexpected end of file/],
  ["with a changed name", () => changed("O''Brien", "A''Brien"), /SQL .* is not what was written/],
  [
    "with a changed sum",
    () => changed(/"customers":\{"rows":\d+/, '"customers":{"rows":7'),
    /header .* is not what was written/,
  ],
  ["with a changed header", () => changed('"asha-traders"', '"other-traders"'), /header .* damaged/],
  ["that is another file", () => Buffer.from("SELECT 1;\n"), /is no backup of company-ops/],
  ["that is another archive", () => gzipSync("SELECT 1;\n"), /is no backup of company-ops/],
])("verify finds a file %s", async (_, damaged, told) => {
  expect(await foundIn(damaged())).toMatch(told);
});

function changed(some: string | RegExp, other: string): Buffer {
  const text = gunzipSync(sound).toString();
  expect(text.search(some)).toBeGreaterThan(0);
  return gzipSync(text.replace(some, other));
}

test("a header that is none is named so", async () => {
  expect(await foundIn(gzipSync(`${MARK}null\n`))).toMatch(/header of the backup is wrong: it: /);
  expect(await foundIn(withHeader({}))).toMatch(/wrong: format: /);
});

/** A gzip file of these texts, one after the other. */
async function zipped(texts: Iterable<string>): Promise<Buffer> {
  const zip = createGzip({ level: 1 });
  for (const text of texts) zip.write(text);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test("a header or a part without an end is refused at its limit, and what was not announced is not read", async () => {
  const megabytes = Array.from({ length: 200 }, () => "a".repeat(1_000_000));
  const started = process.cpuUsage();
  expect(await foundIn(await zipped([MARK, ...megabytes]))).toMatch(/first line does not end/);
  const none = () => "";
  const announcing = async (bytes: number) =>
    Buffer.concat([
      crafted(sound, none, (header) => ({ ...header, sql: { ...header.sql, bytes } })),
      await zipped(megabytes),
    ]);
  expect(await foundIn(await announcing(900_000_000))).toMatch(/more than 64000000 characters/);
  expect(await foundIn(await announcing(10))).toMatch(/not what was written/);
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1_000).toBeLessThan(15_000);
});

test("codes that steer a terminal are written out", () => {
  expect(printable("a\u001b[31mb\u009bc\u202ed\n")).toBe("a\\u001b[31mb\\u009bc\\u202ed\\u000a");
  expect(printable("ಮೀರಾ 🪔 \u200d")).toBe("ಮೀರಾ 🪔 \u200d");
});
