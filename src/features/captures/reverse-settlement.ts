import { eq, sql } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import type { WriteCtx } from "#core/context.ts";
import type { RowOf } from "#core/sql/record.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import {
  REVERSAL,
  REVERSAL_REFUSALS,
  type ReversalDate,
  reversalDay,
  reverseEntries,
} from "#features/ledger";
import type { RecordParams } from "#shared/fields/ids.ts";
import { gatewayCaptures, settledRefunds, settlements } from "#tables/captures";
import { settlement } from "./settlements.ts";

export const reverseSettlementRoutes = new Router("Ledger", "/settlements").post(
  { reverseSettlement },
  "/:id/reverse",
  {
    ...REVERSAL,
    summary: "Take a payout of a gateway back",
    description:
      "One that was recorded by mistake: its entry is reversed, its captures and refunds may be in another payout, and its reference may be used again.",
    record: settlement,
  },
);

/** Takes a payout of a gateway back once; it keeps the ids of its captures. */
function reverseSettlement(
  ctx: WriteCtx,
  { id }: RecordParams,
  asked: ReversalDate,
): Promise<RowOf<typeof settlement>> {
  const here = eq(settlements.id, id);
  const { day, there, held } = reversalDay(ctx, asked, settlements.settledOn, here);
  const mine = eq(gatewayCaptures.settlementId, id);
  return atomic(
    ctx,
    [
      there,
      sql`UPDATE ${settlements} SET reversed_at = ${ctx.now}, freed_captures = (
          SELECT json_group_array(id) FROM (SELECT id FROM ${gatewayCaptures} WHERE ${mine} ORDER BY id)
        ) WHERE ${here} AND ${settlements.reversedAt} IS NULL`,
      refuseIfNone("entry_reversed"),
      ctx.db.update(gatewayCaptures).set({ settlementId: null }).where(mine),
      ctx.db.delete(settledRefunds).where(eq(settledRefunds.settlementId, id)),
      ...held,
      ...reverseEntries(ctx, [{ sourceType: "settlement", ids: sql`${id}` }], day),
    ],
    settlement.select(here),
    REVERSAL_REFUSALS,
  );
}
