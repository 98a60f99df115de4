import { type Count, rowLines } from "./rows.ts";
import { readSchema } from "./schema.ts";
import { literal, named, type Reader } from "./values.ts";

/** Stands on a line of its own after each part of a dump: what is between two of them can be run at once. */
export const PART_END = "-- part\n";

/** The first and the last part of a dump, apart from which it can be run within a transaction. */
export const OPENING = `PRAGMA foreign_keys = OFF;\nBEGIN;\n${PART_END}`;
export const CLOSING = `COMMIT;\nPRAGMA foreign_keys = ON;\n${PART_END}`;

/** What a dump held: its migrations in their order, and each table with its rows. */
export type Dumped = { migrations: string[]; tables: Record<string, Count> };

/**
 * A database as SQL that plain `sqlite3` reads, part by part, all read in one transaction. Rows are written before
 * there are triggers, and full-text tables are filled anew. Gives what it held.
 */
export async function* dump(reader: Reader): AsyncGenerator<string, Dumped> {
  await reader.all("BEGIN");
  const schema = await readSchema(reader);
  const applied = await reader.all("SELECT name FROM migrations ORDER BY name");
  const tables: Record<string, Count> = {};
  yield OPENING;
  // Rows may refer to what a unique index alone makes unique, and to tables that come later.
  for (const sql of [...schema.tables.map((table) => table.sql), ...schema.indexes.filter(isUnique)])
    yield part(sql);
  for (const table of schema.tables) {
    const lines = rowLines(reader, table);
    for (let step = await lines.next(); ; step = await lines.next()) {
      if (step.done === true) {
        tables[table.name] = step.value;
        break;
      }
      yield step.value + PART_END;
    }
  }
  for (const line of await sequenceLines(reader)) yield part(line);
  for (const { sql, fill } of schema.searches) yield part(sql) + part(fill);
  for (const sql of [...schema.indexes.filter((sql) => !isUnique(sql)), ...schema.triggers]) yield part(sql);
  yield CLOSING;
  return { migrations: applied.map(([name]) => String(name)), tables };
}

function isUnique(index: string): boolean {
  return /^CREATE UNIQUE/i.test(index);
}

function part(sql: string): string {
  return `${sql};\n${PART_END}`;
}

/** Which ids were given last, so that none is given twice. */
async function sequenceLines(reader: Reader): Promise<string[]> {
  const [kept] = await reader.all("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'");
  if (kept === undefined) return [];
  const rows = await reader.all("SELECT name, seq FROM sqlite_sequence ORDER BY name");
  const into = `INSERT INTO ${named("sqlite_sequence")} (name, seq) VALUES (`;
  return [
    "DELETE FROM sqlite_sequence",
    ...rows.map(([name = null, seq = null]) => `${into}${literal(name)}, ${literal(seq)})`),
  ];
}
