import { and, eq, lte, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { logFault } from "#platform/log.ts";
import { sha256Hex } from "#platform/secrets.ts";
import { GATEWAYS, GatewayError } from "#providers/payment";
import { DAY_MS, HOUR_MS } from "#shared/durations.ts";
import { type AccountRow, openAccount } from "./accounts.ts";
import type { EffectsByKind } from "./effects.ts";
import type { IntentRow } from "./intents.ts";
import { settle } from "./settle.ts";
import { gatewayAccounts, paymentIntents } from "./tables.ts";

// A gateway that gives no answer has not said that nobody paid.
const LAST_LOOK_MS = 3 * DAY_MS;
const AGAIN_MS = HOUR_MS;
const AT_ONCE = 100;

/**
 * Asks the gateways about payments left open for a quarter of an hour. After a day they count as abandoned, or after
 * three where the gateway does not answer.
 */
export async function reconcile(ctx: Ctx, effects: EffectsByKind): Promise<void> {
  const [due] = await ctx.database.read([
    ctx.db
      .select({ intent: paymentIntents, account: gatewayAccounts })
      .from(paymentIntents)
      .innerJoin(gatewayAccounts, eq(gatewayAccounts.id, paymentIntents.gatewayAccountId))
      .where(and(eq(paymentIntents.status, "created"), lte(paymentIntents.nextLookAt, ctx.now)))
      .orderBy(paymentIntents.nextLookAt)
      .limit(AT_ONCE),
  ]);
  const silent = new Set<number>();
  for (const { intent, account } of due) {
    // Each further question would wait as long for nothing; the next sweep asks.
    if (silent.has(account.id)) continue;
    try {
      await askAbout(ctx, effects, intent, account);
      await putOff(ctx, effects, intent, DAY_MS);
    } catch (error) {
      logFault("reconcile", error);
      if (error instanceof GatewayError && error.retry) silent.add(account.id);
      await putOff(ctx, effects, intent, LAST_LOOK_MS);
    }
  }
}

/** What the gateway says of a payment has its effect, as by an event. */
async function askAbout(ctx: Ctx, effects: EffectsByKind, intent: IntentRow, row: AccountRow): Promise<void> {
  const { id, gatewayOrderId, amount, currency, gateway } = intent;
  if (gatewayOrderId === null) return;
  const account = await openAccount(ctx, row);
  const outcome = await GATEWAYS[gateway].look(account, { id, gatewayOrderId, amount, currency });
  if (outcome.outcome === "ignored" || outcome.outcome === "failed") return;
  // Who agreed so long ago no longer waits for the goods.
  if (outcome.outcome === "capture" && ctx.now - intent.createdAt > DAY_MS) return;
  const eventId = `look:${id}:${outcome.outcome}:${outcome.gatewayPaymentId ?? ctx.operation.id}`;
  await settle(nextOf(ctx, eventId), effects, {
    gateway,
    account,
    eventId,
    payloadSha256: await sha256Hex(JSON.stringify(outcome)),
    isYoung: false,
    outcome,
  });
}

/** Each payment that is found is an operation of its own. */
function nextOf(ctx: Ctx, eventId: string): Ctx {
  const id = ctx.newId();
  return { ...ctx, operation: { ...ctx.operation, name: "reconcilePayment", id, scope: `${eventId}:${id}` } };
}

/** Leaves a payment that is still open for an hour; one that is as old as `most` is given up. */
async function putOff(ctx: Ctx, effects: EffectsByKind, intent: IntentRow, most: number): Promise<void> {
  const { id } = intent;
  const given = ctx.now - intent.createdAt >= most;
  await ctx.database.write(
    given
      ? [
          ...effects[intent.kind].abandoned(ctx, intent),
          sql`UPDATE ${paymentIntents} SET status = 'failed' WHERE id = ${id} AND status = 'created'`,
        ]
      : [
          sql`UPDATE ${paymentIntents} SET next_look_at = ${ctx.now + AGAIN_MS}
            WHERE id = ${id} AND status = 'created'`,
        ],
  );
}
