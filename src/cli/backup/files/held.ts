import { getTableName } from "drizzle-orm";
import { COMPANY_FILES } from "../../../wiring/files.ts";
import { named, type Reader } from "../dump/values.ts";
import type { HeldFile } from "./section.ts";

const AT_ONCE = 1_000;
const inOrder = COMPANY_FILES.toSorted((one, other) => (one.folder < other.folder ? -1 : 1));

/** The files that the records of a company's database hold, by folder and path. */
export async function* heldFiles(reader: Reader): AsyncGenerator<HeldFile> {
  for (const { folder, path, type } of inOrder) {
    const [table, column] = [getTableName(path.table), named(path.name)];
    if (!(await isThere(reader, table))) continue;
    const select = `SELECT ${column}, max(${named(type.name)}) FROM ${named(table)} WHERE ${column} > ?
      GROUP BY ${column} ORDER BY ${column} LIMIT ${AT_ONCE}`;
    for (let after = ""; ; ) {
      const rows = await reader.all(select, [after]);
      for (const [held = null, of = null] of rows) {
        after = String(held);
        yield { folder, path: after, type: String(of) };
      }
      if (rows.length < AT_ONCE) break;
    }
  }
}

/** Whether a record of the database holds the file. */
export async function isHeld(reader: Reader, file: HeldFile): Promise<boolean> {
  const kept = COMPANY_FILES.find(({ folder }) => folder === file.folder);
  if (kept === undefined || !(await isThere(reader, getTableName(kept.path.table)))) return false;
  const select = `SELECT 1 FROM ${named(getTableName(kept.path.table))} WHERE ${named(kept.path.name)} = ? LIMIT 1`;
  return (await reader.all(select, [file.path])).length > 0;
}

/** How many files the records of the database hold. */
export async function countHeld(reader: Reader): Promise<number> {
  let count = 0;
  for (const { path } of COMPANY_FILES) {
    const table = getTableName(path.table);
    if (!(await isThere(reader, table))) continue;
    const [[some = 0n] = []] = await reader.all(
      `SELECT count(DISTINCT ${named(path.name)}) FROM ${named(table)}`,
    );
    count += Number(some);
  }
  return count;
}

async function isThere(reader: Reader, table: string): Promise<boolean> {
  return (await reader.all("SELECT 1 FROM sqlite_schema WHERE name = ?", [table])).length > 0;
}
