import { eq, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import type { RowOf } from "#core/sql/record.ts";
import { atomic, refuseWhen } from "#core/write/atomic.ts";
import { bookingOwedAgain } from "#features/bookings";
import { capture, takeBackSettlement } from "#features/captures";
import { REVERSAL_REFUSALS, type ReversalDate, reversalDay } from "#features/ledger";
import { orderOwedAgain } from "#features/storefront";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { advances, gatewayCaptures } from "#tables/captures";

/** Takes back what staff settled of a capture by hand: it waits again, and what it came for is owed it. */
export function reopenCapture(
  ctx: WriteCtx,
  { id }: RecordParams,
  asked: ReversalDate,
): Promise<RowOf<typeof capture>> {
  const here = eq(gatewayCaptures.id, id);
  const settled = sql`${advances.captureId} = ${id} AND ${advances.kind} = 'settled'`;
  const { day, held } = reversalDay(ctx, asked, advances.entryDate, settled);
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${gatewayCaptures} WHERE ${here})`, "not_found"),
      ...held,
      ...takeBackSettlement(ctx, id, day),
      refuseWhen(
        sql`NOT EXISTS (SELECT 1 FROM ${advances} WHERE ${advances.operation} = ${ctx.call.id})`,
        "invalid_status",
      ),
      orderOwedAgain(ctx, id),
      ...bookingOwedAgain(ctx, id),
    ],
    capture.select(here),
    {
      ...REVERSAL_REFUSALS,
      invalid_status: () => new Problem("invalid_status", { message: "Nothing of it is settled by hand" }),
    },
  );
}
