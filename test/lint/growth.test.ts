import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Migrated, migratedDatabase } from "#tenancy/migrations/migrated-database.ts";

/** The tables that the migrations make; those inside a full-text index and SQLite's own left out. */
function tablesOf(of: Migrated): string[] {
  const database = migratedDatabase(of);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  return tables.map(({ name }) => String(name)).filter((name) => !/^sqlite_|_search_/.test(name));
}

/** The tables that a text leaves out, and the words of it in code that look like tables and are none. */
function differences(text: string, tables: readonly string[]): string[] {
  const named = new Set([...text.matchAll(/`([a-z_]+)`/g)].map(([, name = ""]) => name));
  const others = ["content_days", "message_days", "event_days", "retention_days"];
  return [...named.symmetricDifference(new Set([...tables, ...others]))];
}

const [, section = ""] =
  /^## What grows, and until when\n(.*?)^## /ms.exec(readFileSync("docs/operate.md", "utf8")) ?? [];
const [ofCompany = "", ofControl = ""] = section.split("Of the control database");

it("finds a table that the list leaves out", () => {
  expect(differences(ofCompany, [...tablesOf("company"), "new_table"])).toEqual(["new_table"]);
});

it("says of every table of a company's database whether it grows, and who erases it", () => {
  expect(differences(ofCompany, tablesOf("company"))).toEqual([]);
});

it("says it of every table of the control database", () => {
  const words = differences(ofControl, tablesOf("control"));
  expect(words.filter((word) => !word.endsWith("_days"))).toEqual([]);
});
