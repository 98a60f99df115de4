import { isNull, sql } from "drizzle-orm";
import type { UnattendedCtx } from "#platform/context.ts";
import { unattended } from "#platform/write/atomic.ts";
import { numberOf } from "./matching.ts";
import { contactOptouts } from "./tables.ts";

const AT_ONCE = 1_000;

/** Fills in the whole number of opt-outs from before it was stored. Of two opt-outs of one number the older stays. */
export async function completeOptouts(ctx: UnattendedCtx): Promise<void> {
  const { id, e164 } = contactOptouts;
  for (let left = AT_ONCE; left === AT_ONCE; ) {
    const [rows] = await ctx.database.read([
      ctx.db
        .select({ id, channel: contactOptouts.channel, address: contactOptouts.address })
        .from(contactOptouts)
        .where(isNull(e164))
        .limit(AT_ONCE),
    ]);
    left = rows.length;
    if (left === 0) return;
    await unattended(
      ctx,
      rows.map((row) => {
        const number = numberOf(ctx.company.country, row.channel, row.address) ?? "";
        return sql`UPDATE OR REPLACE ${contactOptouts} SET ${sql.identifier(e164.name)} = ${number}
          WHERE ${id} = ${row.id} AND ${e164} IS NULL`;
      }),
    );
  }
}
