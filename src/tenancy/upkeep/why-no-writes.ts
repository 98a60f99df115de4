import { sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { whyGivenUp } from "#core/database/given-up.ts";
import { Problem } from "#shared/problem.ts";

/** The operator of its server blocks the writes of a database, whose reads are answered. */
export const WRITES_BLOCKED = "writes_blocked";
/** Its reads are answered, and its writes are not. */
const WRITES_UNAVAILABLE = "writes_unavailable";

/** Why a database that is read takes no write, as a code; null where it takes them. An empty write finds it out. */
export async function whyNoWrites(database: Database): Promise<string | null> {
  try {
    await database.write([sql`DELETE FROM migrations WHERE FALSE`]);
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const why = whyGivenUp(error);
    if (why === "database_blocked") return WRITES_BLOCKED;
    return why === "unavailable" ? WRITES_UNAVAILABLE : why;
  }
}
