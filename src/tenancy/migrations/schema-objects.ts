/**
 * Records which migrations a database has, by their texts, and of which schema number the release was that applied each;
 * every database begins with it.
 */
export const MIGRATIONS_TABLE =
  "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, schema_number INTEGER NOT NULL, applied_at INTEGER NOT NULL) STRICT";

/** A table, index or trigger of a database, as `table invoices`, and the text that made it. */
export type SchemaObject = readonly [name: string, text: string];

/** SQL with an instant, in ms since 1970, to be written between each two pieces. */
export type AtNow = readonly string[];

/**
 * Selects what migrations make. Left out are what the engine makes for itself and the inside of full-text indexes: both
 * differ between its versions.
 */
export const SCHEMA_OBJECTS = `
  SELECT type || ' ' || name AS name, sql AS text FROM sqlite_schema object
  WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'libsql\\_%' ESCAPE '\\' AND NOT EXISTS (
    SELECT 1 FROM sqlite_schema search
    WHERE search.sql LIKE 'CREATE VIRTUAL TABLE%' AND object.name LIKE search.name || '\\_%' ESCAPE '\\'
      AND object.type = 'table')
  ORDER BY type, object.name`;

/**
 * A schema's text for comparison: without its layout and comments, a table's columns and constraints in the order of
 * their letters. So a table that was altered is the same as one that was made with the new column.
 */
export function normalised(text: string): string {
  const plain = text
    .replace(/('(?:[^']|'')*')|--[^\n]*|"(\w+)"/g, (_, quoted = "", name = "") => quoted + name)
    .replace(/\s+/g, " ")
    .replace(/(?<=\() | (?=\))/g, "")
    .trim();
  const open = plain.indexOf("(");
  const close = plain.lastIndexOf(")");
  if (!/^CREATE TABLE\b/.test(plain) || open < 0) return plain;
  const items = itemsOf(plain.slice(open + 1, close)).sort();
  return `${plain.slice(0, open)}(${items.join(", ")})${plain.slice(close + 1)}`;
}

/** What stands between the commas of a list that are in no brackets and in no quoted text. */
function itemsOf(list: string): string[] {
  const items = [""];
  let depth = 0;
  for (const [piece] of list.matchAll(/'(?:[^']|'')*'|[^']/g)) {
    if (piece === "(") depth += 1;
    if (piece === ")") depth -= 1;
    if (piece === "," && depth === 0) items.push("");
    else items[items.length - 1] += piece;
  }
  return items.map((item) => item.trim());
}
