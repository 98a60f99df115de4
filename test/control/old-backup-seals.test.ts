import { getTableName } from "drizzle-orm";
import { expect, test } from "vitest";
import { closedSeals, foreignSeals, reseal } from "#control/cli/backup/database/reseal.ts";
import type { Reader, Row, Value } from "#control/cli/backup/dump/values.ts";
import { migratedDatabase } from "#control/migrations/migrated-database.ts";
import { COMPANY_SEALS } from "../../src/mount/seals.ts";

test("a backup from before there was a kind of secret is looked through without it", async () => {
  for (const table of new Set(
    COMPANY_SEALS.flatMap(({ columns }) => columns.map((one) => getTableName(one.table))),
  )) {
    const database = migratedDatabase("company");
    database.exec("PRAGMA foreign_keys = OFF");
    database.exec(`DROP TABLE ${table}`);
    const reader = {
      all: async (sql: string, args: Value[] = []): Promise<Row[]> =>
        database
          .prepare(sql)
          .all(...(args as string[]))
          .map((row) => Object.values(row) as Row),
    } as Reader;
    expect(await closedSeals(reader, "asha")).toEqual([]);
    expect(await foreignSeals(reader, "asha")).toEqual([]);
    expect(await reseal(reader, "asha", "asha-2")).toBe(0);
  }
});
