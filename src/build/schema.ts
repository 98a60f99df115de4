import { CLOSING, dump, OPENING, PART_END } from "#cli/backup/dump/dump.ts";
import { readerOf } from "#cli/backup/dump/sqlite.ts";
import { APPLIED_AT, migratedDatabase } from "#tenancy/migrations/migrated-database.ts";
import {
  type AtNow,
  normalised,
  SCHEMA_OBJECTS,
  type SchemaObject,
} from "#tenancy/migrations/schema-objects.ts";

/** What the migrations make of an empty company database: what a company's own is compared with. */
export function companySchema(): SchemaObject[] {
  const objects = migratedDatabase("company").prepare(SCHEMA_OBJECTS).all();
  return objects.map(({ name, text }) => [String(name), normalised(String(text))]);
}

/** The same with its first rows, as the SQL that makes a new company's tables without making all their history. */
export async function newCompany(): Promise<AtNow> {
  const database = migratedDatabase("company");
  let sql = "";
  for await (const part of dump(readerOf(database)))
    if (part !== OPENING && part !== CLOSING) sql += part.replace(PART_END, "");
  // Every database has these two from its first moment on.
  const standing = sql.replace(/^CREATE TABLE (?=(?:migrations|database_name)\b)/gm, "$&IF NOT EXISTS ");
  // Each company draws its own.
  const epoch = database.prepare("SELECT epoch FROM event_feed").get()?.epoch;
  return standing.replace(`'${epoch}'`, "lower(hex(randomblob(12)))").split(String(APPLIED_AT));
}
