import { and, eq, lte, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { logFault } from "#platform/log.ts";
import { sha256Hex } from "#platform/secrets.ts";
import { GATEWAYS, GatewayError } from "#providers/payment";
import { type AccountRow, openAccount } from "./accounts.ts";
import type { EffectsByKind } from "./effects.ts";
import type { IntentRow } from "./intents.ts";
import { settle } from "./settle.ts";
import { gatewayAccounts, paymentIntents } from "./tables.ts";

const DAY_MS = 24 * 3_600_000;
const AGAIN_MS = 3_600_000;
const AT_ONCE = 100;

/** Asks the gateways about payments left open for a quarter of an hour to a day; after a day they count as abandoned. */
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
  for (const { intent, account } of due) {
    const paid = await found(ctx, effects, intent, account).catch((error) => {
      logFault("reconcile", error);
      return false;
    });
    if (!paid) await putOff(ctx, effects, intent);
  }
}

/** Whether the gateway says that it was paid: then it has its effect, as by an event. */
async function found(ctx: Ctx, effects: EffectsByKind, intent: IntentRow, row: AccountRow): Promise<boolean> {
  const { id, gatewayOrderId, amount, currency, gateway } = intent;
  if (gatewayOrderId === null) return false;
  const account = await openAccount(ctx, row);
  const outcome = await GATEWAYS[gateway].look(account, { id, gatewayOrderId, amount, currency });
  if (outcome.outcome === "ignored") return false;
  if (outcome.outcome === "capture" && ctx.now - intent.createdAt > DAY_MS)
    throw new GatewayError("late", false);
  const eventId = `look:${id}:${outcome.outcome}:${outcome.gatewayPaymentId ?? ctx.operation.id}`;
  const { result } = await settle(nextOf(ctx, eventId), effects, {
    gateway,
    account,
    eventId,
    payloadSha256: await sha256Hex(JSON.stringify(outcome)),
    isYoung: false,
    outcome,
  });
  return result === "paid" || result === "mismatch" || result === "failed";
}

/** Each payment that is found is an operation of its own. */
function nextOf(ctx: Ctx, eventId: string): Ctx {
  const id = ctx.newId();
  return { ...ctx, operation: { ...ctx.operation, name: "reconcilePayment", id, scope: `${eventId}:${id}` } };
}

async function putOff(ctx: Ctx, effects: EffectsByKind, intent: IntentRow): Promise<void> {
  const { id } = intent;
  const given = ctx.now - intent.createdAt >= DAY_MS;
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
