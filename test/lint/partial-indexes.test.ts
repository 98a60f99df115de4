import { expect, test } from "vitest";
import { migratedDatabase } from "#tenancy/migrations/migrated-database.ts";

type Index = { name: string; tbl_name: string; sql: string };

test.each(["company", "control"] as const)(
  "SQLite can use each partial index of the %s database",
  (plane) => {
    const database = migratedDatabase(plane);
    const indexes = database
      .prepare("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%WHERE%'")
      .all() as Index[];
    // SQLite turns a comparison round where only its right side is a column, in the query and not in the index.
    const useless = indexes.filter(({ name, tbl_name, sql }) => {
      const condition = sql.slice(sql.indexOf("WHERE"));
      try {
        database.prepare(`SELECT 1 FROM ${tbl_name} INDEXED BY ${name} ${condition}`);
        return false;
      } catch {
        return true;
      }
    });
    expect(useless.map(({ name }) => name)).toEqual([]);
  },
);
