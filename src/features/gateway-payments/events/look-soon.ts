import { and, gt } from "drizzle-orm";
import type { BackgroundCtx, SystemWriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { paymentIntents } from "#tables/gateway-payments";
import { type IntentRow, isOpenOf } from "../intents/open-intent.ts";

/** Lets the open payments of one record be looked at now: their payer says that one was made, which proves nothing. */
export async function pollSoon(
  ctx: SystemWriteCtx & BackgroundCtx,
  kind: IntentRow["kind"],
  refId: string,
): Promise<void> {
  const [result] = await systemWrite(ctx, [
    ctx.db
      .update(paymentIntents)
      .set({ nextPollAt: ctx.now })
      .where(and(isOpenOf(kind, refId), gt(paymentIntents.nextPollAt, ctx.now))),
  ]);
  if ((result?.rowsAffected ?? 0) > 0) await ctx.enqueue([{ kind: "reconcile" }]);
}
