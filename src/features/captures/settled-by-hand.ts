import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { ACCOUNTS } from "#shared/payments/books.ts";
import { advances, gatewayCaptures } from "#tables/captures";
import { clearing, keyed } from "./accounts.ts";
import {
  advanceColumns,
  covered,
  endedReceipt,
  type Movement,
  moveAdvances,
  received,
  removedPayment,
} from "./advances.ts";

/** All that waits of captures, settled by hand: it left by the account of `credit`. */
function settled(captures: SQL, credit: SQL, reference: string | null): Movement {
  return {
    captures: sql`${captures} AND ${gatewayCaptures.advanceAmount} > 0`,
    kind: "settled",
    amount: sql<number>`${gatewayCaptures.advanceAmount}`,
    debit: keyed({ key: ACCOUNTS.customerAdvances }),
    credit,
    reference,
  };
}

/**
 * The statements after those that end the documents of captures and reverse their entries: the money was given back, so
 * what is an advance again is settled at once, and what else waits with it: by a payment mode, else at the gateway.
 */
export function giveBackCaptures(ctx: CallCtx, captures: SQL, mode: number | null): SQL[] {
  const given = settled(captures, accountOf(mode), null);
  const movements = [removedPayment(ctx), endedReceipt(ctx), covered(captures), given];
  return [...moveAdvances(ctx, movements, true), countRefunds(ctx)];
}

/** Counts what went back of the orders and bookings anew whose money this call settled, or reopened. */
function countRefunds(ctx: CallCtx): SQL {
  const { captureId, operation, kind } = advances;
  return sql`UPDATE ${gatewayCaptures} SET refunded_amount = refunded_amount WHERE ${gatewayCaptures.id} IN (
    SELECT ${captureId} FROM ${advances} WHERE ${operation} = ${ctx.call.id} AND ${kind} IN ('settled', 'reopened')
  ) AND EXISTS (SELECT 1 FROM capture_siblings AS sibling WHERE of_capture_id = ${gatewayCaptures.id} AND sibling.refunded_amount > 0)`;
}

/** Whether a call has settled money that waited, as a condition. */
export function hasSettled(ctx: CallCtx): SQL {
  return sql`EXISTS (SELECT 1 FROM ${advances} WHERE ${advances.operation} = ${ctx.call.id} AND ${advances.kind} = 'settled')`;
}

/**
 * What staff settled of a capture through its gateway's clearing account, as given back at the gateway: what the gateway
 * reports after that is the same money.
 */
export const settledAtGateway = sql<number>`(SELECT coalesce(sum(iif(${advances.kind} = 'settled', ${advances.amount}, -${advances.amount})), 0)
  FROM ${advances} WHERE ${advances.captureId} = gateway_captures.id AND ${advances.kind} IN ('settled', 'reopened')
    AND iif(${advances.kind} = 'settled', ${advances.creditAccountId}, ${advances.debitAccountId}) = ${clearing})`;

/** The statements that take such settlements back, for the gateway's own refund to take their place. */
export function reopenCaptures(ctx: CallCtx, parts: readonly { id: number; amount: number }[]): SQL[] {
  const taken = parts.filter(({ amount }) => amount > 0);
  return moveAdvances(
    ctx,
    taken.map(({ id, amount }) => ({
      ...received(sql`${gatewayCaptures.id} = ${id}`, amount),
      kind: "reopened" as const,
    })),
  );
}

/** The statements by which what staff settled of a capture waits again, of the accounts that it had left by. */
export function takeBackSettlement(ctx: CallCtx, id: number, day: string): SQL[] {
  const { amount, creditAccountId, debitAccountId, captureId, kind } = advances;
  const customerAdvances = keyed({ key: ACCOUNTS.customerAdvances });
  const reopened = sql`INSERT INTO ${advances} (${advanceColumns()})
    SELECT ${ctx.call.id}, ${id}, 'reopened', sum(amount), ${day}, account, ${customerAdvances}, NULL, ${ctx.now} FROM (
      SELECT ${amount} AS amount, ${creditAccountId} AS account FROM ${advances} WHERE ${captureId} = ${id} AND ${kind} = 'settled'
      UNION ALL SELECT -${amount}, ${debitAccountId} FROM ${advances} WHERE ${captureId} = ${id} AND ${kind} = 'reopened'
    ) GROUP BY account HAVING sum(amount) > 0`;
  return [
    ...moveAdvances(ctx, [reopened, covered(sql`${gatewayCaptures.id} = ${id}`)], false, day),
    countRefunds(ctx),
  ];
}

/** The account by which money was given back: a payment mode's, or without one the clearing account of the gateway. */
function accountOf(mode: number | null): SQL {
  if (mode === null) return clearing;
  return sql`(SELECT account_id FROM accounts_of_modes WHERE payment_mode_id = ${mode})`;
}

/** The statements that settle by hand all that waits of captures. */
export function settleCaptures(
  ctx: CallCtx,
  captures: SQL,
  { mode, reference }: { mode: number | null; reference: string | null },
): SQL[] {
  return [...moveAdvances(ctx, [settled(captures, accountOf(mode), reference)]), countRefunds(ctx)];
}
