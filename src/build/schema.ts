import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  MIGRATIONS_TABLE,
  normalised,
  SCHEMA_OBJECTS,
  type SchemaObject,
} from "#control/migrations/schema-text.ts";

const FOLDER = join(import.meta.dirname, "../../migrations/company");

/** What the migrations make of an empty company database: what a company's own is compared with. */
export function companySchema(): SchemaObject[] {
  const database = new DatabaseSync(":memory:");
  database.exec(MIGRATIONS_TABLE);
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".sql"));
  for (const file of files.sort()) {
    database.prepare("INSERT INTO migrations (name, applied_at) VALUES (?, 0)").run(file);
    database.exec(readFileSync(join(FOLDER, file), "utf8"));
  }
  const objects = database.prepare(SCHEMA_OBJECTS).all();
  return objects.map(({ name, text }) => [String(name), normalised(String(text))]);
}
