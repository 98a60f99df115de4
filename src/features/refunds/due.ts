import { and, inArray, lte, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { type Due, lookAt } from "#core/due.ts";
import { logFault } from "#core/log.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { withoutEvents } from "#core/write/events.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { gatewayRefunds } from "#tables/refunds";
import { applyStrays } from "./apply-strays.ts";
import { type Pursued, selectPursued } from "./held.ts";
import { maySendAgain, nextLookAt } from "./looks.ts";
import { pursue, type Reach } from "./pursue.ts";

const AT_ONCE = 50;
// Until then the job that was queued may still be asking.
const QUEUED_MS = 5 * MINUTE_MS;

/** Refunds to look at: a job of its own asks their gateways, which may take long. */
export const refundsDue: Due = {
  look: (ctx) =>
    lookAt(ctx, {
      table: gatewayRefunds,
      index: "gateway_refunds_open",
      where: sql`${gatewayRefunds.status} IN ('created', 'pending')`,
      instant: sql`${gatewayRefunds.nextLookAt}`,
    }),
  async act(ctx) {
    await ctx.enqueue([{ kind: "refunds" }]);
    return ctx.now + QUEUED_MS;
  },
};

/**
 * Asks the gateways about refunds whose outcome is not known, and sends again what they do not have. Applies what they
 * reported of refunds before their payments were known.
 */
export async function lookAtRefunds(ctx: Ctx): Promise<void> {
  const isDue = and(
    inArray(gatewayRefunds.status, ["created", "pending"]),
    lte(gatewayRefunds.nextLookAt, ctx.now),
  );
  const [due] = await ctx.database.read([selectPursued(ctx, sql`${isDue}`, AT_ONCE)]);
  for (const one of due) {
    try {
      if (await lease(ctx, one)) await pursue(ctx, one, reachOf(ctx, one));
    } catch (error) {
      logFault("refund", error);
    }
  }
  await applyStrays(ctx).catch((error) => logFault("refund", error));
}

/** Puts off the next look, so that no other job asks about the same refund now; false where one does. */
async function lease(
  ctx: Ctx,
  { refund: { key, status, nextLookAt: due, createdAt } }: Pursued,
): Promise<boolean> {
  const next = status === "pending" ? ctx.now + DAY_MS : nextLookAt(createdAt, ctx.now);
  const [result] = await systemWrite(withoutEvents(ctx), [
    ctx.db
      .update(gatewayRefunds)
      .set({
        nextLookAt: next,
        attempts: sql`${gatewayRefunds.attempts} + 1`,
        sentAt: sql`coalesce(${gatewayRefunds.sentAt}, ${ctx.realNow()})`,
      })
      .where(
        sql`${gatewayRefunds.key} = ${key} AND ${gatewayRefunds.status} = ${status} AND ${gatewayRefunds.nextLookAt} = ${due}`,
      ),
  ]);
  return (result?.rowsAffected ?? 0) > 0;
}

function reachOf(ctx: Ctx, { refund: { createdAt, sentAt } }: Pursued): Reach {
  const age = ctx.now - createdAt;
  // One that a policy asked for was never sent before.
  if (sentAt === null) return { age, sending: "first", also: [] };
  return { age, sending: maySendAgain(age, ctx.realNow() - sentAt) ? "again" : "over", also: [] };
}
