import { sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { Problem, type ProblemCode } from "#shared/problem.ts";

/** Why a database takes no write, as the code of a problem; null where it takes them. An empty write finds it out. */
export async function whyNoWrites(database: Database): Promise<ProblemCode | null> {
  try {
    await database.write([sql`DELETE FROM migrations WHERE FALSE`]);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}
