import { sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { COMPARED, rowsOf } from "#integrity/moves/compared.ts";
import { differencesIn } from "#integrity/moves/differences.ts";
import { type Broken, brokenBy } from "./broken.ts";

// An isolate has them all at once.
const MOST_MOVES = 20_000;
const SENTENCE = "records show what the moves of their money come to";

/** What shows another thing than its moves come to, in a company that has not too many of them, once all are there. */
export async function checkMoves(database: Database): Promise<{ broken: Broken[]; skipped: string[] }> {
  const [[small]] = await database.read([
    database.build.all(sql`SELECT 1 WHERE (SELECT count(*) FROM money_moves) <= ${MOST_MOVES}
      AND NOT EXISTS (SELECT 1 FROM converted_moves WHERE through < until)`),
  ]);
  if (small === undefined) return { broken: [], skipped: ["moves"] };
  const results = await database.readLong(Object.values(COMPARED).map((select) => sql.raw(select)));
  const differences = differencesIn(rowsOf(results)).filter(({ name }) => name === null);
  const broken = brokenBy(
    SENTENCE,
    differences.map(({ record, member }) => `${record} ${member}`),
  );
  return { broken, skipped: [] };
}
