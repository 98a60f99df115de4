import { isNull, sql } from "drizzle-orm";
import type { BackgroundCtx, ReadCtx } from "#platform/context.ts";
import { numberOf } from "./matching.ts";
import { contactOptouts } from "./tables.ts";

const AT_ONCE = 1_000;

/** Fills in the whole number of opt-outs from before it was stored. Of two opt-outs of one number the older stays. */
export async function completeOptouts(ctx: ReadCtx & BackgroundCtx): Promise<void> {
  const [rows] = await ctx.database.read([
    ctx.db
      .select({ id: contactOptouts.id, channel: contactOptouts.channel, address: contactOptouts.address })
      .from(contactOptouts)
      .where(isNull(contactOptouts.e164))
      .limit(AT_ONCE),
  ]);
  if (rows.length === 0) return;
  const { id, e164 } = contactOptouts;
  await ctx.database.write(
    rows.map((row) => {
      const number = numberOf(ctx.company.country, row.channel, row.address) ?? "";
      return sql`UPDATE OR REPLACE ${contactOptouts} SET ${sql.identifier(e164.name)} = ${number}
        WHERE ${id} = ${row.id} AND ${e164} IS NULL`;
    }),
  );
  if (rows.length === AT_ONCE) await ctx.housekeepSoon();
}
