import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import type { IntentRow, PaidIntent } from "#features/gateway-payments";
import { percentOf } from "#shared/money/rounding.ts";
import { salesOrders } from "../tables.ts";
import { setOrder } from "./order-of-payment.ts";

// Three percent, and 18 percent of tax on it.
const LARGEST_FEE = 3_540;

/** Records what came above the price. A surplus no larger than a gateway's fee needs no review. */
export function recordSurplus(ctx: ReadCtx, intent: IntentRow & Pick<PaidIntent, "captured">): SQLWrapper[] {
  const surplus = intent.captured - intent.amount;
  if (surplus <= 0) return [];
  const { reviewCode: code } = salesOrders;
  const reviewCode = surplus <= largestFee(intent) ? sql`${code}` : sql`coalesce(${code}, 'overcaptured')`;
  return [
    setOrder(ctx, intent, { overcapturedAmount: surplus, reviewCode }, eq(salesOrders.overcapturedAmount, 0)),
  ];
}

/** The largest fee, in minor units, that a gateway may add to what its payer pays. */
export function largestFee({ amount }: IntentRow): number {
  return percentOf(amount, LARGEST_FEE);
}
