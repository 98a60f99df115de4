import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { migrate, missingMigrations } from "#tenancy/migrations/migrate.ts";
import type { Migration } from "#tenancy/migrations/missing-and-changed.ts";
import { normalised, SCHEMA_OBJECTS } from "#tenancy/migrations/schema-objects.ts";
import { clientOf } from "../../support/company.ts";
import { newDatabase } from "./new-database.ts";

const NOW = 1_795_000_000_000;
const FIRST = { name: "01_people", sql: "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT) STRICT;" };
const NOW_MADE = {
  name: "01_people",
  sql: "CREATE TABLE people (id INTEGER PRIMARY KEY, nickname TEXT, name TEXT) STRICT;",
};
const before = createHash("sha256").update(FIRST.sql).digest("hex");
const NICKNAME = { name: "0001_01_people", sql: "ALTER TABLE people ADD COLUMN nickname TEXT;", before };

async function schemaOf(name: string): Promise<unknown[]> {
  const { rows } = await clientOf(name).execute(SCHEMA_OBJECTS);
  return rows.map((row) => [row.name, normalised(String(row.text))]);
}

test("a database that exists is altered, keeps its rows, and ends as a new one, which is not altered", async () => {
  const [old, fresh] = [await newDatabase(), await newDatabase()];
  const now: Migration[] = [NOW_MADE, NICKNAME];
  await migrate(old.database, [FIRST], NOW);
  await clientOf(old.name).execute("INSERT INTO people (name) VALUES ('Asha')");
  expect(await missingMigrations(old.database, now)).toEqual(["0001_01_people"]);
  const runs = await Promise.all([1, 2, 3].map(() => migrate(old.database, now, NOW)));
  expect(runs.flat()).toEqual(["0001_01_people"]);
  expect(await migrate(old.database, now, NOW)).toEqual([]);

  expect(await missingMigrations(fresh.database, now)).toEqual(["01_people"]);
  expect(await migrate(fresh.database, now, NOW)).toEqual(["01_people"]);
  expect(await migrate(fresh.database, now, NOW)).toEqual([]);
  expect(await schemaOf(old.name)).toEqual(await schemaOf(fresh.name));
  const { rows } = await clientOf(old.name).execute("SELECT name, nickname FROM people");
  expect(rows.map((row) => Object.values(row))).toEqual([["Asha", null]]);
});
