import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, DatabaseSync } from "node:sqlite";
import { Failure } from "../failure.ts";
import type { Header } from "./header.ts";
import { readBackup } from "./read-file.ts";
import { countRows } from "./rows.ts";
import { readSchema } from "./schema.ts";
import type { Reader, Row } from "./values.ts";

/** What a backup says of itself, and what is wrong with it: nothing, for a sound one. */
export type Verified = { header: Header; problems: string[] };

const MOST_PROBLEMS = 20;

/** Loads a backup into a database of its own, counts and sums its rows again, and checks its references. */
export async function verifyBackup(file: string): Promise<Verified> {
  const { header, parts } = await readBackup(file);
  const folder = await mkdtemp(join(tmpdir(), "company-ops-verify-"));
  const scratch = new DatabaseSync(join(folder, "scratch.db"));
  // A file that somebody else wrote may do nothing outside the scratch database.
  scratch.setAuthorizer((action) =>
    action === constants.SQLITE_ATTACH ? constants.SQLITE_DENY : constants.SQLITE_OK,
  );
  try {
    scratch.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    for await (const part of parts) load(scratch, part);
    return { header, problems: (await problemsOf(readerOf(scratch), header)).slice(0, MOST_PROBLEMS) };
  } catch (error) {
    if (error instanceof Failure) return { header, problems: [error.message] };
    throw error;
  } finally {
    scratch.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function load(scratch: DatabaseSync, part: string): void {
  try {
    scratch.exec(part);
  } catch (error) {
    throw new Failure(`SQLite refuses the SQL: ${(error as Error).message}`);
  }
}

async function problemsOf(reader: Reader, header: Header): Promise<string[]> {
  const problems: string[] = [];
  const { tables } = await readSchema(reader);
  const names = new Set([...tables.map(({ name }) => name), ...Object.keys(header.tables)]);
  for (const name of names) {
    const table = tables.find((each) => each.name === name);
    const written = header.tables[name];
    if (table === undefined || written === undefined)
      problems.push(`Table ${name} is ${table === undefined ? "missing" : "not in the header"}`);
    else {
      const read = await countRows(reader, table);
      if (read.rows !== written.rows)
        problems.push(`Table ${name} has ${read.rows} rows in place of ${written.rows}`);
      else if (read.sha256 !== written.sha256)
        problems.push(`Table ${name} has other rows than were written`);
    }
  }
  for (const [table, row, parent] of await reader.all(
    'SELECT "table", rowid, parent FROM pragma_foreign_key_check',
  ))
    problems.push(`Row ${row} of ${table} refers to a row of ${parent} that is not there`);
  for (const [text] of await reader.all("SELECT integrity_check FROM pragma_integrity_check"))
    if (text !== "ok") problems.push(`The database is not whole: ${text}`);
  return problems;
}

function readerOf(scratch: DatabaseSync): Reader {
  return {
    async all(sql, values = []) {
      const statement = scratch.prepare(sql);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return statement.all(...values) as unknown as Row[];
    },
  };
}
