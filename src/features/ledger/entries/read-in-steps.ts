import { max, type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { read } from "#core/write/replay.ts";
import { journalEntries, journalLines } from "#tables/ledger";

/** How many entries are looked at in one read. */
const STEP = 100_000;

/**
 * Adds up what a SELECT of the lines of a range of entries gives, of one range after another, and gives the last entry.
 * Entries are never changed, so those up to the last one at the first read are the books of that moment, however many reads
 * follow.
 */
export async function readInSteps<Row>(
  ctx: CallCtx,
  select: (entries: SQL) => SQL<Row>,
  add: (rows: readonly Row[]) => void,
): Promise<number> {
  let last = STEP;
  for (let after = 0; after < last; after += STEP) {
    const range = sql`${journalLines.entryId} BETWEEN ${after + 1} AND ${Math.min(after + STEP, last)}`;
    const [[found], cells] = await read(ctx, [
      ctx.db.select({ last: max(journalEntries.id) }).from(journalEntries),
      jsonQuery(ctx, select(range)),
    ]);
    if (after === 0) last = found?.last ?? 0;
    add(parseRows(cells));
  }
  return last;
}
