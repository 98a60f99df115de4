import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Hashed, schemaNumberOf } from "./missing-and-changed.ts";
import { MIGRATIONS_TABLE } from "./schema-objects.ts";

/** Whose migrations: those of the control database, or of each company's. */
export type Migrated = "control" | "company";
/** Its hash is that of its file. */
type Text = Hashed & { sql: string };

/** When each of its migrations was applied, in ms since 1970: no other number in it is the same. */
export const APPLIED_AT = 7_777_777_777_777;

const FOLDER = join(import.meta.dirname, "../../../migrations");
const BEFORE = ".before";
/** The first line of an alteration ends with the SHA-256 of the text that its file had. */
const BEFORE_LINE = /^-- Before: (\w{64})\n/;
/** A line of an alteration: a trigger is dropped, and made as its file has it now. */
const MADE_ANEW = /^-- Made anew: (\w+)$/gm;
/** In a trigger: whether a column of the row changed, but for those that are named. */
const CHANGED = /\/\* (\w+) but for ([\w,\s]+) \*\/ \(NEW\.\*\) IS NOT \(OLD\.\*\)/g;

/** Around what several tables have: each table, its kind of record, and the times of which the newest is that of its last change. */
const FOR_EACH = /^\/\* For each of ([\w,\s()]+) \*\/\n([\s\S]*?)^\/\* End of each \*\/$/gm;
const TABLE = /(\w+) (\w+)(?: \(([\w ]+)\))?/g;

/**
 * The texts of all migrations, in their order; for Node, as the whole of this file. Among the files are those that were
 * changed, as they were before each alteration.
 */
export function migrationTexts(of: Migrated, folder = FOLDER): { files: Text[]; alterations: Text[] } {
  const now = textsIn(join(folder, of));
  const altered = textsIn(join(folder, of, "alterations"));
  const before = altered.filter(({ name }) => name.endsWith(BEFORE));
  const alterations = altered
    .filter((text) => !before.includes(text))
    .map((text, place, all) => ({
      ...text,
      sql: withTriggers(text.sql, now, all.slice(place + 1)),
      before: BEFORE_LINE.exec(text.sql)?.[1] ?? "",
    }));
  const former = before.map((text) => ({
    ...text,
    name: text.name.slice(0, -BEFORE.length).replace(/^\d+_/, ""),
  }));
  return { files: [...former, ...now].sort((one, other) => (one.name < other.name ? -1 : 1)), alterations };
}

/** The texts of what is applied now, complete: the files of a new database, and the alterations of others. */
export function currentTexts(of: Migrated): Text[] {
  const database = migratedDatabase(of);
  return namedTexts(of).map((text) => ({ ...text, sql: withColumns(text.sql, database) }));
}

/** Of these texts, those that a database has applied: by their names the SHA-256 of each. */
export function appliedTexts(texts: readonly Text[], applied: Record<string, string>): Text[] {
  return texts.filter(({ name, sha256 }) => Object.hasOwn(applied, name) && applied[name] === sha256);
}

/**
 * An empty database in memory as these migrations make it; by default as those that make a new one. What SQLite refuses
 * is thrown by `refuse`, which is given the migration's name.
 */
export function migratedDatabase(
  of: Migrated,
  migrations: readonly Text[] = textsIn(join(FOLDER, of)),
  refuse = (_name: string, error: unknown): never => {
    throw error;
  },
): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec(MIGRATIONS_TABLE);
  const schemaNumber = schemaNumberOf(namedTexts(of));
  const record = database.prepare(
    "INSERT INTO migrations (name, sha256, schema_number, applied_at) VALUES (?, ?, ?, ?)",
  );
  for (const { name, sql, sha256 } of migrations) {
    try {
      record.run(name, sha256, schemaNumber, APPLIED_AT);
      // A trigger that is made anew compares the columns that came before it in the same text.
      for (const part of sql.split(/^(?=DROP TRIGGER)/m)) database.exec(withColumns(part, database));
    } catch (error) {
      refuse(name, error);
    }
  }
  return database;
}

function namedTexts(of: Migrated): Text[] {
  return [...textsIn(join(FOLDER, of)), ...migrationTexts(of).alterations];
}

/** The last of the alterations that make a trigger anew makes it: all of the columns are there by then. */
function withTriggers(sql: string, files: readonly Text[], later: readonly Text[]): string {
  return sql.replace(MADE_ANEW, (line, name: string) => {
    if (later.some((one) => one.sql.split("\n").includes(line))) return "";
    const made = new RegExp(`^CREATE TRIGGER ${name} [^]*?^END;$`, "m");
    return `DROP TRIGGER ${name};\n\n${files.map((file) => made.exec(file.sql)?.[0] ?? "").join("")}`;
  });
}

function withColumns(text: string, database: DatabaseSync): string {
  const sql = text.replace(FOR_EACH, (_, tables: string, text: string) =>
    Array.from(tables.matchAll(TABLE), ([, table = "", kind = "", times = "updated_at"]) =>
      text
        .replaceAll("each_table", table)
        .replaceAll("each_kind", kind)
        .replaceAll(/(NEW\.)?each_time/g, (_time, row = "") => newestOf(times.split(" "), row)),
    ).join("\n"),
  );
  return sql.replace(CHANGED, (_, table: string, others: string) => {
    const columns = database.prepare("SELECT name FROM pragma_table_xinfo(?)").all(table);
    const names = columns.map(({ name }) => String(name));
    const left = others.split(/[\s,]+/);
    const unknown = left.find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new Error(`${table} has no column ${unknown}, which a trigger leaves out`);
    const compared = names.filter((name) => !left.includes(name));
    const row = (of: string) => `(${compared.map((name) => `${of}.${name}`).join(", ")})`;
    return `${row("NEW")} IS NOT ${row("OLD")}`;
  });
}

function newestOf(times: readonly string[], row: string): string {
  const [one = "", ...others] = times.map((time) => row + time);
  return others.length === 0
    ? one
    : `max(${one}, ${others.map((time) => `coalesce(${time}, 0)`).join(", ")})`;
}

function textsIn(folder: string): Text[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  return files.sort().map((file) => {
    const sql = readFileSync(join(folder, file), "utf8");
    return { name: basename(file, ".sql"), sql, sha256: createHash("sha256").update(sql).digest("hex") };
  });
}
