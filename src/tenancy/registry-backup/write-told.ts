import type { SQLWrapper } from "drizzle-orm";
import type { Actor } from "#core/context.ts";
import type { Database, Result } from "#core/database/database.ts";
import { lacksTable } from "#core/database/failure.ts";
import { toldAround } from "#core/write/setting-changes.ts";

/**
 * Writes copies of the registry, with the notice of what they change of keys: it commits with the copy, after the key
 * itself or, where the key loses a right, before it. A copy that the hourly jobs write later gets its notice then.
 */
export async function writeTold(
  database: Database,
  by: { actor: Actor; now: number },
  copies: readonly SQLWrapper[],
): Promise<Result[]> {
  const { before, after } = toldAround(by, "keys");
  try {
    const results = await database.write([...before, ...copies, ...after]);
    return results.slice(before.length, before.length + copies.length);
  } catch (error) {
    // A restored or found database of the release before is migrated later, and has no place for notices.
    if (!lacksTable(error)) throw error;
    return database.write(copies);
  }
}
