import type { Database } from "#core/database/database.ts";
import { CONTROL_MIGRATIONS } from "#migrations";
import { migrate, missingMigrations } from "./migrate.ts";
import { filesOf } from "./missing-and-changed.ts";

/** Applies to the registry what it lacks. False for a database that is no registry yet: the operator makes one. */
export async function completeRegistry(control: Database, now: number): Promise<boolean> {
  const missing = new Set(await missingMigrations(control, CONTROL_MIGRATIONS));
  if (filesOf(CONTROL_MIGRATIONS).every(({ name }) => missing.has(name))) return false;
  await migrate(control, CONTROL_MIGRATIONS, now);
  return true;
}
