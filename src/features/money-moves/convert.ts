import { sql } from "drizzle-orm";
import type { ReadCtx, SystemWriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { convertedMoves, moneyMoves } from "#tables/money-moves";

// Of a payment in tens of microseconds: a slice takes well below a second.
const RECORDS_AT_ONCE = 2_000;

/**
 * Makes moves of the records that were there before moves were, in slices that each are one transaction. One that another
 * run was first with, or that a trigger moved meanwhile, changes nothing.
 */
export async function convertRecords(ctx: ReadCtx & SystemWriteCtx): Promise<void> {
  const { sourceType, through, until } = convertedMoves;
  for (;;) {
    const [[next]] = await ctx.database.read([
      ctx.db.select().from(convertedMoves).where(sql`${through} < ${until}`).limit(1),
    ]);
    if (next === undefined) return;
    const end = Math.min(next.through + RECORDS_AT_ONCE, next.until);
    await systemWrite(ctx, [
      sql`INSERT INTO ${moneyMoves} SELECT * FROM moves_of_records WHERE source_type = ${next.sourceType}
        AND source_id > ${next.through} AND source_id <= ${end} ON CONFLICT (key) DO NOTHING`,
      sql`UPDATE ${convertedMoves} SET through = ${end} WHERE ${sourceType} = ${next.sourceType} AND ${through} < ${end}`,
    ]);
  }
}
