import { and, eq, gt } from "drizzle-orm";
import type { BackgroundCtx, UnattendedCtx } from "#platform/context.ts";
import { unattended } from "#platform/write/atomic.ts";
import type { IntentRow } from "../intents/open-intent.ts";
import { paymentIntents } from "../intents/tables.ts";

/** Lets the open payments of one record be looked at now: their payer says that one was made, which proves nothing. */
export async function lookSoon(
  ctx: UnattendedCtx & BackgroundCtx,
  kind: IntentRow["kind"],
  refId: string,
): Promise<void> {
  const { status, nextLookAt } = paymentIntents;
  const [result] = await unattended(ctx, [
    ctx.db
      .update(paymentIntents)
      .set({ nextLookAt: ctx.now })
      .where(
        and(
          eq(paymentIntents.kind, kind),
          eq(paymentIntents.refId, refId),
          eq(status, "created"),
          gt(nextLookAt, ctx.now),
        ),
      ),
  ]);
  if ((result?.rowsAffected ?? 0) > 0) await ctx.enqueue([{ kind: "reconcile" }]);
}
