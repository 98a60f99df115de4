import { sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.ts";
import type { Migration } from "./list.ts";
import { MIGRATIONS_TABLE } from "./schema-text.ts";

/**
 * Applies what is missing, each file with its record in one transaction, and gives the names of what it applied. Safe
 * to run twice, at the same time, or after a crash: the record's primary key lets each file in once.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  now: number,
): Promise<string[]> {
  const done = await appliedNames(database);
  const applied: string[] = [];
  for (const { name, sql: text } of migrations) {
    if (done.has(name)) continue;
    try {
      await database.script(`BEGIN IMMEDIATE;
        INSERT INTO migrations (name, applied_at) VALUES ('${name}', ${now});
        ${text}
        COMMIT;`);
      applied.push(name);
    } catch (error) {
      // Applied meanwhile by another run, or by this one whose answer was lost: then there is nothing left to do.
      if (!(await appliedNames(database)).has(name)) throw error;
    }
  }
  return applied;
}

/** The names of those that `migrate` would apply. Changes nothing, also where the database is empty. */
export async function missingMigrations(
  database: Database,
  migrations: readonly Migration[],
): Promise<string[]> {
  const [[table]] = await database.read([
    database.build.all<{ name: string }>(sql`SELECT name FROM sqlite_schema WHERE name = 'migrations'`),
  ]);
  if (table === undefined) return migrations.map(({ name }) => name);
  const [rows] = await database.read([
    database.build.all<{ name: string }>(sql`SELECT name FROM migrations`),
  ]);
  const done = new Set(rows.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
}

async function appliedNames(database: Database): Promise<Set<string>> {
  const [, names] = await database.write([sql.raw(MIGRATIONS_TABLE), sql`SELECT name FROM migrations`]);
  return new Set(names?.rows.map((row) => String(row.name)));
}
