import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { largestFee } from "#features/captures";
import type { IntentRow, PaidIntent } from "#features/gateway-payments";
import { salesOrders } from "#tables/storefront";
import { setOrder } from "./order-of-payment.ts";

/** Records what came above the price. A surplus no larger than a gateway's fee needs no review. */
export function recordSurplus(ctx: ReadCtx, intent: IntentRow & Pick<PaidIntent, "captured">): SQLWrapper[] {
  const surplus = intent.captured - intent.amount;
  if (surplus <= 0) return [];
  const { reviewCode: code } = salesOrders;
  const reviewCode =
    surplus <= largestFee(intent.amount) ? sql`${code}` : sql`coalesce(${code}, 'overcaptured')`;
  return [
    setOrder(ctx, intent, { overcapturedAmount: surplus, reviewCode }, eq(salesOrders.overcapturedAmount, 0)),
  ];
}
