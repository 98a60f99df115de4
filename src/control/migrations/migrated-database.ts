import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS_TABLE } from "./schema-text.ts";

/** Whose migrations: those of the control database, or of each company's. */
export type Migrated = "control" | "company";

/** When each of its migrations was applied, in ms since 1970: no other number in it is the same. */
export const APPLIED_AT = 7_777_777_777_777;

const FOLDER = join(import.meta.dirname, "../../../migrations");

/** The names of all migrations of this release, in their order; for Node, as the whole of this file. */
export function migrationNames(of: Migrated): string[] {
  const files = readdirSync(join(FOLDER, of)).filter((file) => file.endsWith(".sql"));
  return files.map((file) => file.replace(".sql", "")).sort();
}

/**
 * An empty database in memory as these migrations make it. What SQLite refuses is thrown by `refuse`, which is given the
 * migration's name.
 */
export function migratedDatabase(
  of: Migrated,
  names: readonly string[] = migrationNames(of),
  refuse = (_name: string, error: unknown): never => {
    throw error;
  },
): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(MIGRATIONS_TABLE);
  for (const name of names) {
    try {
      database.prepare("INSERT INTO migrations (name, applied_at) VALUES (?, ?)").run(name, APPLIED_AT);
      database.exec(readFileSync(join(FOLDER, of, `${name}.sql`), "utf8"));
    } catch (error) {
      refuse(name, error);
    }
  }
  return database;
}
