import { type Count, NO_ROWS, rowLines } from "./rows.ts";
import { readSchema, type Schema } from "./schema.ts";
import { literal, named, type Reader } from "./values.ts";

/** Stands on a line of its own after each part of a dump: what is between two of them can be run at once. */
export const PART_END = "-- part\n";

/** The first and the last part of a dump, apart from which it can be run within a transaction. */
export const OPENING = `PRAGMA foreign_keys = OFF;\nBEGIN;\n${PART_END}`;
export const CLOSING = `COMMIT;\nPRAGMA foreign_keys = ON;\n${PART_END}`;

/** The characters of a part at most: a page of rows, or one row, each far below it. */
export const MOST_PART = 64_000_000;

/** What writes which ids were given last. */
export const SEQUENCE = {
  emptied: "DELETE FROM sqlite_sequence",
  into: `INSERT INTO ${named("sqlite_sequence")} (name, seq) VALUES (`,
} as const;

/** What a dump held: its migrations with the SHA-256 of each text, and each table with its rows. */
export type Dumped = { migrations: Record<string, string>; tables: Record<string, Count> };

/**
 * A database as SQL that plain `sqlite3` reads, part by part, all read in one transaction. Rows are written before
 * there are triggers, and full-text tables are filled anew. Gives what it held.
 */
export async function* dump(reader: Reader): AsyncGenerator<string, Dumped> {
  await reader.all("BEGIN");
  const schema = await readSchema(reader);
  const migrations = await appliedIn(reader);
  const tables: Record<string, Count> = {};
  yield OPENING;
  const { first, last } = statementsOf(schema);
  for (const sql of first) yield partOf(sql);
  const filled = await filledOf(reader, schema);
  for (const table of schema.tables) {
    if (!filled.has(table.name)) {
      tables[table.name] = NO_ROWS;
      continue;
    }
    const lines = rowLines(reader, table);
    for (let step = await lines.next(); ; step = await lines.next()) {
      if (step.done === true) {
        tables[table.name] = step.value;
        break;
      }
      yield step.value + PART_END;
    }
  }
  for (const line of await sequenceLines(reader)) yield partOf(line);
  for (const sql of last) yield partOf(sql);
  yield CLOSING;
  return { migrations, tables };
}

/** The tables that have rows, by one statement: most of a new company's have none, and need no request of their own. */
export async function filledOf(reader: Reader, { tables }: Pick<Schema, "tables">): Promise<Set<string>> {
  const [row = []] = await reader.all(
    `SELECT ${tables.map(({ name }) => `EXISTS (SELECT 1 FROM ${named(name)})`).join(", ")}`,
  );
  return new Set(tables.filter((_, at) => row[at] !== 0n).map(({ name }) => name));
}

/** The migrations that a database has, with the SHA-256 of each text. */
export async function appliedIn(reader: Reader): Promise<Record<string, string>> {
  const rows = await reader.all("SELECT name, sha256 FROM migrations ORDER BY name");
  return Object.fromEntries(rows.map(([name, sha256]) => [String(name), String(sha256)]));
}

/** The statements that make a schema, before its rows and after them. */
export function statementsOf({ tables, indexes, searches, triggers }: Schema) {
  return {
    // Rows may refer to what a unique index alone makes unique, and to tables that come later.
    first: [...tables.map(({ sql }) => sql), ...indexes.filter(isUnique)],
    last: [
      ...searches.flatMap(({ sql, fill }) => [sql, fill]),
      ...indexes.filter((sql) => !isUnique(sql)),
      ...triggers,
    ],
  };
}

function isUnique(index: string): boolean {
  return /^CREATE UNIQUE/i.test(index);
}

/** A statement as a part of a dump. */
export function partOf(sql: string): string {
  return `${sql};\n${PART_END}`;
}

/** Which ids were given last, so that none is given twice. */
async function sequenceLines(reader: Reader): Promise<string[]> {
  const [kept] = await reader.all("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'");
  if (kept === undefined) return [];
  const rows = await reader.all("SELECT name, seq FROM sqlite_sequence ORDER BY name");
  return [
    SEQUENCE.emptied,
    ...rows.map(([name = null, seq = null]) => `${SEQUENCE.into}${literal(name)}, ${literal(seq)})`),
  ];
}
