/** Records which migrations a database has; every database begins with it. */
export const MIGRATIONS_TABLE =
  "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT";

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

/** A schema's text for comparison, without its layout. */
export function normalised(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
