import { expect, test } from "vitest";
import { COMPANY_MIGRATIONS, CONTROL_MIGRATIONS } from "#migrations";
import { migrate, missingMigrations } from "#tenancy/migrations/migrate.ts";
import { filesOf } from "#tenancy/migrations/missing-and-changed.ts";
import { normalised, SCHEMA_OBJECTS } from "#tenancy/migrations/schema-objects.ts";
import { newCompany } from "../../../src/build/schema.ts";
import { clientOf, setFaults } from "../../support/company.ts";
import { newDatabase } from "./new-database.ts";

// A new database needs no alteration.
const FILES = filesOf(COMPANY_MIGRATIONS);
const CONTROL_FILES = filesOf(CONTROL_MIGRATIONS);
const NOW = 1_795_000_000_000;
const ALL = [
  { of: "company", migrations: FILES },
  { of: "control", migrations: CONTROL_FILES },
];
const [FIRST = { name: "", sql: "" }] = FILES;

async function schemaOf(name: string): Promise<unknown[]> {
  const { rows } = await clientOf(name).execute(
    "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name",
  );
  return rows.map((row) => Object.values(row));
}

async function recorded(name: string): Promise<unknown[]> {
  return (await clientOf(name).execute("SELECT name FROM migrations ORDER BY name")).rows.map(
    (row) => row.name,
  );
}

test.each(ALL)(
  "an empty $of database gets every file, each recorded once; a second run does nothing",
  async ({ migrations }) => {
    const { name, database } = await newDatabase();
    const names = migrations.map((migration) => migration.name);
    expect(await migrate(database, migrations, NOW)).toEqual(names);
    const schema = await schemaOf(name);
    expect(await migrate(database, migrations, NOW)).toEqual([]);
    expect(await recorded(name)).toEqual(names);
    expect(await schemaOf(name)).toEqual(schema);
  },
);

test("a new company's tables and rows are what all files make one after another, also when five runs begin at once", async () => {
  const [one, other] = [await newDatabase(), await newDatabase()];
  await migrate(one.database, COMPANY_MIGRATIONS, NOW);
  const together = await newCompany();
  const runs = await Promise.all(
    [1, 2, 3, 4, 5].map(() => migrate(other.database, COMPANY_MIGRATIONS, NOW, together)),
  );
  expect(runs.flat().sort()).toEqual(FILES.map(({ name }) => name));
  const read = async (name: string, query: string) => (await clientOf(name).execute(query)).rows;
  const objects = async (name: string) =>
    (await read(name, SCHEMA_OBJECTS)).map((row) => [row.name, normalised(String(row.text))]);
  expect(await objects(other.name)).toEqual(await objects(one.name));
  const tables = await read(one.name, "SELECT name FROM pragma_table_list WHERE type = 'table'");
  // Each draws its own epoch.
  for (const { name } of tables)
    if (name !== "sqlite_schema" && name !== "event_feed")
      expect(await read(other.name, `SELECT * FROM "${name}" ORDER BY 1`), `rows of ${name}`).toEqual(
        await read(one.name, `SELECT * FROM "${name}" ORDER BY 1`),
      );
});

test("a database that has some files gets the others one by one", async () => {
  const { name, database } = await newDatabase();
  await migrate(database, [FIRST], NOW);
  const rest = FILES.slice(1).map((migration) => migration.name);
  expect(await migrate(database, COMPANY_MIGRATIONS, NOW, await newCompany())).toEqual(rest);
  expect(await recorded(name)).toEqual([FIRST.name, ...rest]);
});

test("five runs at once apply each file once", async () => {
  const { name, database } = await newDatabase();
  const applied = await Promise.all([1, 2, 3, 4, 5].map(() => migrate(database, COMPANY_MIGRATIONS, NOW)));
  expect(applied.flat().sort()).toEqual(FILES.map((migration) => migration.name));
  const { rows } = await clientOf(name).execute("SELECT count(*) AS n FROM units");
  expect(rows[0]?.n).toBe(35);
});

test("a file that breaks in its middle leaves nothing of itself, and the files before it", async () => {
  const { name, database } = await newDatabase();
  const broken = {
    name: "0002_broken",
    sql: "CREATE TABLE half (x TEXT) STRICT; INSERT INTO nowhere VALUES (1);",
  };
  const later = { name: "0003_later", sql: "CREATE TABLE later (x TEXT) STRICT;" };
  await expect(migrate(database, [FIRST, broken, later], NOW)).rejects.toThrow();
  expect(await recorded(name)).toEqual([FIRST.name]);
  expect(JSON.stringify(await schemaOf(name))).not.toMatch(/\b(?:half|later)\b/);

  const mended = { ...broken, sql: "CREATE TABLE half (x TEXT) STRICT;" };
  expect(await migrate(database, [FIRST, mended, later], NOW)).toEqual(["0002_broken", "0003_later"]);
});

test("a run whose answer is lost finds that its file is applied", async () => {
  const { name, database } = await newDatabase();
  // The second write is the file; the first makes the table of records.
  await setFaults(name, [{ kind: "reset_after", every: 2, times: 1, writes_only: true }]);
  await migrate(database, COMPANY_MIGRATIONS, NOW);
  await setFaults(name, []);
  expect(await recorded(name)).toEqual(FILES.map((migration) => migration.name));
  expect(await migrate(database, COMPANY_MIGRATIONS, NOW)).toEqual([]);
});

test("a run that is cut off before its file leaves a database that the next one finishes", async () => {
  const { name, database } = await newDatabase();
  await setFaults(name, [{ kind: "reset_before", every: 2, times: 1, writes_only: true }]);
  await expect(migrate(database, COMPANY_MIGRATIONS, NOW)).rejects.toThrow();
  await setFaults(name, []);
  expect(await recorded(name)).toEqual([]);
  expect(await migrate(database, COMPANY_MIGRATIONS, NOW)).toEqual(FILES.map((migration) => migration.name));
});

test("a name with another text is not taken for applied: the database is refused, and stays as it is", async () => {
  const { name, database } = await newDatabase();
  const later = { name: "02_later", sql: "CREATE TABLE later (x TEXT) STRICT;" };
  await migrate(database, [FIRST], NOW);
  const schema = await schemaOf(name);
  const another = [{ ...FIRST, sql: `${FIRST.sql} -- Another.` }, later];
  const refused = { code: "conflict", message: expect.stringContaining(`another ${FIRST.name} than`) };
  await expect(migrate(database, another, NOW)).rejects.toMatchObject(refused);
  await expect(missingMigrations(database, another)).rejects.toMatchObject(refused);
  expect(await schemaOf(name)).toEqual(schema);
  expect(await recorded(name)).toEqual([FIRST.name]);
  expect(await missingMigrations(database, [FIRST, later])).toEqual([later.name]);
});

test("a database of before 1.0.0, which says nothing of texts, is refused", async () => {
  const { name, database } = await newDatabase();
  await clientOf(name).executeMultiple(
    `CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT;
    INSERT INTO migrations VALUES ('0001_foundation', 1);`,
  );
  const refused = { code: "conflict", message: expect.stringContaining("another 0001_foundation than") };
  await expect(migrate(database, COMPANY_MIGRATIONS, NOW)).rejects.toMatchObject(refused);
  await expect(missingMigrations(database, FILES)).rejects.toMatchObject(refused);
  expect(await recorded(name)).toEqual(["0001_foundation"]);
});
