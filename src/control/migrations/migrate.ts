import { sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.ts";
import type { Migration } from "./list.ts";
import { type AtNow, MIGRATIONS_TABLE } from "./schema-text.ts";

/**
 * Applies what is missing, each file with its record in one transaction, all in one request, and gives the names of what
 * it applied. Safe to run twice, at the same time, or after a crash: the record's primary key lets each file in once.
 * `together` makes of an empty database what all of them would, in one transaction.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  now: number,
  together?: AtNow,
): Promise<string[]> {
  const applied: string[] = [];
  let missing = await missingAfter(database, migrations);
  while (missing.length > 0) {
    try {
      const isEmpty = missing.length === migrations.length;
      await database.script(
        together !== undefined && isEmpty
          ? transaction(together.join(String(now)))
          : missing.map((migration) => transactionOf(migration, now)).join("\n"),
      );
      applied.push(...missing.map(({ name }) => name));
      missing = [];
    } catch (error) {
      // Another run has applied it meanwhile, or this one did and its answer was lost: less is left to do.
      const left = await missingAfter(database, missing);
      if (left.length === missing.length) throw error;
      missing = left;
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

function transactionOf({ name, sql: text }: Migration, now: number): string {
  return transaction(`INSERT INTO migrations (name, applied_at) VALUES ('${name}', ${now}); ${text}`);
}

function transaction(text: string): string {
  return `BEGIN IMMEDIATE;
    ${text}
    COMMIT;`;
}

async function missingAfter(
  database: Database,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const [, names] = await database.write([sql.raw(MIGRATIONS_TABLE), sql`SELECT name FROM migrations`]);
  const done = new Set(names?.rows.map((row) => String(row.name)));
  return migrations.filter(({ name }) => !done.has(name));
}
