import { isDeepStrictEqual } from "node:util";
import type { Header } from "../file/header.ts";
import { appliedIn, filledOf } from "./dump.ts";
import { countRows, NO_ROWS } from "./rows.ts";
import { readSchema } from "./schema.ts";
import type { Reader } from "./values.ts";

/** How a database differs from what the header says of it, and what is wrong in itself; nothing, for a sound one. */
export async function problemsOf(reader: Reader, header: Header): Promise<string[]> {
  const problems: string[] = [];
  const { tables } = await readSchema(reader);
  const filled = await filledOf(reader, { tables });
  const names = new Set([...tables.map(({ name }) => name), ...Object.keys(header.tables)]);
  for (const name of names) {
    const table = tables.find((each) => each.name === name);
    const written = header.tables[name];
    if (table === undefined || written === undefined) {
      problems.push(`Table ${name} is ${table === undefined ? "missing" : "not in the header"}`);
      continue;
    }
    const { rows, sha256 } = filled.has(name) ? await countRows(reader, table) : NO_ROWS;
    if (rows !== written.rows) problems.push(`Table ${name} has ${rows} rows in place of ${written.rows}`);
    else if (sha256 !== written.sha256) problems.push(`Table ${name} has other rows than were written`);
  }
  if (!isDeepStrictEqual(await appliedIn(reader), header.migrations))
    problems.push("The migrations of the database are not those of the header");
  for (const [table, , parent] of await reader.all(
    'SELECT "table", rowid, parent FROM pragma_foreign_key_check',
  ))
    problems.push(`A row of ${table} refers to one of ${parent} that is not there`);
  for (const [text] of await reader.all("SELECT integrity_check FROM pragma_integrity_check"))
    if (text !== "ok") problems.push(`The database is not whole: ${text}`);
  return problems;
}
