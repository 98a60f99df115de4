import { and, desc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { BackgroundCtx, Ctx, ReadCtx, SystemWriteCtx } from "#core/context.ts";
import { type Due, lookAt } from "#core/due.ts";
import { logFault } from "#core/log.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { nextCall } from "#core/write/next-call.ts";
import { GATEWAYS, GatewayError } from "#providers/payment";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { gatewayAccounts, paymentIntents } from "#tables/gateway-payments";
import type { AccountRow } from "../gateways/accounts.ts";
import { openAccount } from "../gateways/secret-kinds.ts";
import type { Effects, EffectsByKind } from "../intents/effects.ts";
import { failIntent, type IntentRow, isOpenOf, type UsablePayment } from "../intents/open-intent.ts";
import { applyEvent } from "./apply-event.ts";

// Longer than a day, because a gateway that does not answer may have been paid.
const LAST_LOOK_MS = 3 * DAY_MS;
const AGAIN_MS = HOUR_MS;
const AT_ONCE = 100;
// Of one record; its others are found by the clock.
const MOST_ASKED = 3;
// Until then the job that was queued may still be asking.
const QUEUED_MS = 5 * MINUTE_MS;

/** Payments to look at: a job of its own asks their gateways, which may take long. */
export const paymentsDue: Due = {
  look: (ctx) =>
    lookAt(ctx, {
      table: paymentIntents,
      index: "payment_intents_open",
      where: sql`${paymentIntents.status} = 'created'`,
      instant: sql`${paymentIntents.nextPollAt}`,
    }),
  async act(ctx) {
    await ctx.enqueue([{ kind: "reconcile" }]);
    return ctx.now + QUEUED_MS;
  },
};

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
      .where(and(eq(paymentIntents.status, "created"), lte(paymentIntents.nextPollAt, ctx.now)))
      .orderBy(paymentIntents.nextPollAt)
      .limit(AT_ONCE),
  ]);
  const silent = new Set<number>();
  for (const { intent, account } of due) {
    // Further questions to it would time out too; the next sweep asks again.
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

/** The open payments of one record, newest first, with their accounts. */
export function selectOpen(ctx: ReadCtx, kind: IntentRow["kind"], refId: string | SQL<string>) {
  return ctx.db
    .select({ intent: paymentIntents, account: gatewayAccounts })
    .from(paymentIntents)
    .innerJoin(gatewayAccounts, eq(gatewayAccounts.id, paymentIntents.gatewayAccountId))
    .where(isOpenOf(kind, refId))
    .orderBy(desc(paymentIntents.id))
    .limit(MOST_ASKED);
}

/**
 * Asks the gateways about the open payments of one record before another is started: the event of one may not have come.
 * A gateway that does not answer blocks no payment. Returns whether one had news, and those that can still be made: it
 * had none of them, and the gateway did not say that it does not know them.
 */
export async function askFirst(
  ctx: Ctx,
  effects: Effects,
  open: readonly Omit<UsablePayment, "returnsTo">[],
): Promise<{ hasNews: boolean; usable: UsablePayment[] }> {
  // All are of this record.
  const byKind = { order: effects, booking: effects, invoice: effects };
  const asked = await Promise.all(
    open.map(async ({ intent, account }) => {
      try {
        return [{ intent, account, ...(await askAbout(ctx, byKind, intent, account)) }];
      } catch (error) {
        logFault("reconcile", error);
        const isSilent = error instanceof GatewayError && error.retry;
        return isSilent ? [{ intent, account, hasNews: false, returnsTo: null }] : [];
      }
    }),
  );
  const known = asked.flat();
  return { hasNews: known.some(({ hasNews }) => hasNews), usable: known.filter(({ hasNews }) => !hasNews) };
}

/** Asks the gateway about a payment, applies each answer as an event, and says where the payment's page leads back to. */
async function askAbout(
  ctx: Ctx,
  effects: EffectsByKind,
  intent: IntentRow,
  row: AccountRow,
): Promise<{ hasNews: boolean; returnsTo: string | null }> {
  const { id, gatewayOrderId, amount, currency, gateway } = intent;
  if (gatewayOrderId === null) return { hasNews: false, returnsTo: null };
  const account = await openAccount(ctx, row);
  const reports = await GATEWAYS[gateway].look(account, { id, gatewayOrderId, amount, currency });
  // A payer who agreed more than a day ago is not charged any more.
  const isLate = ctx.now - intent.createdAt > DAY_MS;
  const news = reports.filter(
    ({ state }) => state !== "ignored" && state !== "failed" && !(state === "capture" && isLate),
  );
  for (const report of news) {
    const eventId = `look:${id}:${report.state}:${report.gatewayPaymentId ?? ctx.call.id}`;
    await applyEvent(nextCall(ctx, "reconcilePayment", eventId), effects, {
      gateway,
      senders: [{ account, accountId: row.id }],
      eventId,
      payloadSha256: await sha256Hex(JSON.stringify(report)),
      isYoung: false,
      report,
    });
  }
  return { hasNews: news.length > 0, returnsTo: reports[0]?.returnsTo ?? null };
}

/** Looks at an open payment again in an hour, or gives it up where it is older than `most` milliseconds. */
async function putOff(
  ctx: SystemWriteCtx,
  effects: EffectsByKind,
  intent: IntentRow,
  most: number,
): Promise<void> {
  const { id } = intent;
  const isOver = ctx.now - intent.createdAt >= most;
  await systemWrite(
    ctx,
    isOver
      ? [...effects[intent.kind].abandoned(ctx, intent), failIntent(ctx, id)]
      : [
          ctx.db
            .update(paymentIntents)
            .set({ nextPollAt: ctx.now + AGAIN_MS })
            .where(and(eq(paymentIntents.id, id), eq(paymentIntents.status, "created"))),
        ],
  );
}
