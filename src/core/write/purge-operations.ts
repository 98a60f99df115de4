import { sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { operations } from "#tables/core";

const PURGED_AT_ONCE = 500;

/** Forgets operations whose day is over, in small batches, so that no writer waits long. Gives how many. */
export async function purgeOperations(database: Database, now: number): Promise<number> {
  let purged = 0;
  for (;;) {
    const [result] = await database.write([
      sql`DELETE FROM ${operations} WHERE scope IN (
        SELECT scope FROM ${operations} WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${PURGED_AT_ONCE}
      )`,
    ]);
    const count = result?.rowsAffected ?? 0;
    purged += count;
    if (count < PURGED_AT_ONCE) return purged;
  }
}
