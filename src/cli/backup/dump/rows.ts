import { createHash } from "node:crypto";
import type { Table } from "./schema.ts";
import { literal, named, type Reader, type Value } from "./values.ts";

/** How many rows a table has, and the SHA-256 of the lines that write them. */
export type Count = { rows: number; sha256: string };

/** Of a table without rows. */
export const NO_ROWS: Count = { rows: 0, sha256: createHash("sha256").digest("hex") };

// Far below the database server's largest answer, and enough that round trips cost little.
const PAGE_BYTES = 1_000_000;
const PAGE_ROWS = 2_000;

/** The rows of a table in the order of its key, as pages of INSERT statements, each a line; gives how many there were. */
export async function* rowLines(reader: Reader, table: Table): AsyncGenerator<string, Count> {
  const hash = createHash("sha256");
  const into = insertionInto(table);
  let rows = 0;
  let after: readonly Value[] | undefined;
  for (;;) {
    const page = await reader.all(pageOf(table, after !== undefined), after);
    const last = page.at(-1);
    if (last === undefined) return { rows, sha256: hash.digest("hex") };
    const lines = page
      .map((row) => `${into}${row.slice(table.key.length).map(literal).join(", ")});\n`)
      .join("");
    hash.update(lines);
    rows += page.length;
    after = last.slice(0, table.key.length);
    yield lines;
  }
}

/** What the line of each row begins with; its values follow. */
export function insertionInto({ name, columns }: Table): string {
  return `INSERT INTO ${named(name)} (${columns.map(named).join(", ")}) VALUES (`;
}

/** Reads all rows of a table only to count and sum them. */
export async function countRows(reader: Reader, table: Table): Promise<Count> {
  const lines = rowLines(reader, table);
  for (;;) {
    const step = await lines.next();
    if (step.done === true) return step.value;
  }
}

/** As many rows as fit into a page of bytes, and one at least. */
function pageOf({ name, key, columns }: Table, continued: boolean): string {
  const keys = key.map((_, at) => `key_${at}`).join(", ");
  const cells = columns.map((_, at) => `cell_${at}`).join(", ");
  const selected = [
    ...key.map((column, at) => `${column === "rowid" ? "rowid" : named(column)} AS key_${at}`),
    ...columns.map((column, at) => `${named(column)} AS cell_${at}`),
    `${columns.map((column) => `16 + coalesce(length(CAST(${named(column)} AS BLOB)), 0)`).join(" + ")} AS bytes`,
  ];
  const own = key.map((column) => (column === "rowid" ? "rowid" : named(column))).join(", ");
  const after = continued ? `WHERE (${own}) > (${key.map(() => "?").join(", ")})` : "";
  return `SELECT ${keys}, ${cells} FROM (
    SELECT *, sum(bytes) OVER (ORDER BY ${keys}) - bytes AS before FROM (
      SELECT ${selected.join(", ")} FROM ${named(name)} ${after} ORDER BY ${own} LIMIT ${PAGE_ROWS}))
    WHERE before < ${PAGE_BYTES} ORDER BY ${keys}`;
}
