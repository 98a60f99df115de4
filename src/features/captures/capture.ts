import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx, ReadCtx } from "#core/context.ts";
import { type Given, keptQuery, keptStatement } from "#core/sql/kept-statements.ts";
import { refuseIfNone } from "#core/write/atomic.ts";
import { percentOf } from "#shared/money/rounding.ts";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { gatewayCaptures } from "#tables/captures";
import { covered, feePaid, moveAdvances, received } from "./advances.ts";

// Three percent, and 18 percent of tax on it.
const LARGEST_FEE = 3_540;

export type CaptureRow = typeof gatewayCaptures.$inferSelect;

/** What a gateway reports of money that it took; null where it does not say. */
export type Reported = {
  gateway: GatewayKind;
  /** The account that reported it. */
  accountId: number;
  gatewayPaymentId: string;
  amount: number;
  currency: string;
  fee: number | null;
  method: string | null;
};

/** The payment that the service asked for, if it knows of one. */
type Asked = { id: number; customerId: SQL };

/** The query for the capture of a gateway's payment. */
export const selectCapture = keptQuery((db, { gateway, id }: Given<{ gateway: string; id: string | null }>) =>
  db
    .select()
    .from(gatewayCaptures)
    .where(and(eq(gatewayCaptures.gateway, gateway), eq(gatewayCaptures.gatewayPaymentId, id))),
);

const insert = keptStatement(
  (
    given: Given<{
      gateway: string;
      id: string;
      accountId: number;
      intentId: number | null;
      customerId: SQL | null;
      outcome: string;
      amount: number;
      currency: string;
      fee: number | null;
      method: string | null;
      now: number;
    }>,
  ) => sql`INSERT INTO ${gatewayCaptures}
    (gateway, gateway_payment_id, gateway_account_id, intent_id, customer_id, outcome, amount, currency, fee, method, received_at)
    VALUES (${given.gateway}, ${given.id}, ${given.accountId}, ${given.intentId}, ${given.customerId}, ${given.outcome}, ${given.amount},
      ${given.currency}, ${given.fee}, ${given.method}, ${given.now})`,
);

/**
 * The statements that store what a gateway reports of a capture. Refused as `intent_moved`, or by the unique index, where
 * it is not as it was read.
 */
export function storeCapture(
  ctx: ReadCtx,
  seen: CaptureRow | undefined,
  report: Reported,
  outcome: (typeof gatewayCaptures.outcome.enumValues)[number],
  asked: Asked | undefined,
): SQL[] {
  const { gateway, gatewayPaymentId: id, accountId, amount, currency, fee, method } = report;
  const intentId = asked?.id ?? null;
  const customerId = asked?.customerId ?? null;
  if (seen === undefined) {
    const row = {
      gateway,
      id,
      accountId,
      intentId,
      customerId,
      outcome,
      amount,
      currency,
      fee,
      method,
      now: ctx.now,
    };
    return [insert(row)];
  }
  const kept = seen.outcome === "paid" ? "paid" : outcome;
  return [
    sql`UPDATE ${gatewayCaptures} SET amount = ${Math.max(amount, seen.amount)}, outcome = ${kept},
      gateway_account_id = ${asked === undefined ? seen.gatewayAccountId : accountId},
      intent_id = coalesce(intent_id, ${intentId}), customer_id = coalesce(customer_id, ${customerId}),
      fee = coalesce(${fee}, fee), method = coalesce(${method}, method)
      WHERE ${gatewayCaptures.id} = ${seen.id} AND ${gatewayCaptures.amount} = ${seen.amount}
        AND ${gatewayCaptures.advanceAmount} = ${seen.advanceAmount} AND ${gatewayCaptures.intentId} IS ${seen.intentId}`,
    refuseIfNone("intent_moved"),
  ];
}

/**
 * The statements after the effect of a capture, which invoiced `invoiced` of it: what came now and is not invoiced is an
 * advance, but for a fee that the payer bore above the price.
 */
export function advanceTheRest(
  ctx: CallCtx,
  seen: CaptureRow | undefined,
  { gateway, gatewayPaymentId, amount }: Reported,
  { invoiced, price }: { invoiced: number; price: number | null },
): SQL[] {
  const came = Math.max(amount - (seen?.amount ?? 0), 0);
  // What waited before is invoiced out of Customer Advances.
  const rest = came - (isAdvance(seen) ? 0 : invoiced);
  const surplus = price === null ? 0 : amount - price;
  const fee = surplus > 0 && surplus <= largestFee(price ?? 0) ? Math.min(surplus, rest) : 0;
  const own = sql`${gatewayCaptures.gateway} = ${gateway} AND ${gatewayCaptures.gatewayPaymentId} = ${gatewayPaymentId}`;
  return moveAdvances(ctx, [
    ...(rest > fee ? [received(own, rest - fee), covered(own)] : []),
    ...(fee > 0 ? [feePaid(own, fee)] : []),
  ]);
}

/** The statement that names the customer of a capture which nothing asked for. */
export function nameCustomer(id: number, customerId: number): SQL {
  return sql`UPDATE ${gatewayCaptures} SET customer_id = ${customerId}
    WHERE ${gatewayCaptures.id} = ${id} AND ${gatewayCaptures.customerId} IS NULL`;
}

/** Whether money of a capture waits in Customer Advances. */
export function isAdvance(seen: Pick<CaptureRow, "advanceAmount"> | undefined): boolean {
  return seen !== undefined && seen.advanceAmount > 0;
}

/** The largest fee, in minor units, that a gateway may add to what its payer pays. */
export function largestFee(price: number): number {
  return percentOf(price, LARGEST_FEE);
}

/** The statement that counts anew what went back of a capture, once another document has its money. */
export function recountRefunds(
  ctx: CallCtx,
  { gateway, gatewayPaymentId }: { gateway: string | null; gatewayPaymentId: string | null },
): SQLWrapper {
  const { refundedAmount, gateway: its, gatewayPaymentId: id } = gatewayCaptures;
  return ctx.db
    .update(gatewayCaptures)
    .set({ refundedAmount: sql`${refundedAmount}` })
    .where(sql`${its} = ${gateway} AND ${id} = ${gatewayPaymentId} AND ${refundedAmount} > 0`);
}
