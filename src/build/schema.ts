import { migratedDatabase } from "#control/migrations/migrated-database.ts";
import { normalised, SCHEMA_OBJECTS, type SchemaObject } from "#control/migrations/schema-text.ts";

/** What the migrations make of an empty company database: what a company's own is compared with. */
export function companySchema(): SchemaObject[] {
  const objects = migratedDatabase("company").prepare(SCHEMA_OBJECTS).all();
  return objects.map(({ name, text }) => [String(name), normalised(String(text))]);
}
