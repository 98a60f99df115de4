import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx } from "#core/context.ts";
import { refuseIfNone } from "#core/write/atomic.ts";
import { coverRefunds } from "#features/captures";
import { postDocument, reverseEntries } from "#features/ledger";
import type { RefundStatus } from "#shared/payments/refunds.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { advances } from "#tables/captures";
import { gatewayRefunds } from "#tables/refunds";
import type { StoredRefund } from "./held.ts";

/** What is known of a refund now. */
export type Said =
  | { status: "pending" | "succeeded"; gatewayRefundId: string }
  | { status: "failed"; gatewayRefundId: string | null; failureCode: string };

/** Whether what its gateway says of a refund moves it on from its status. */
export function isNews(status: RefundStatus, said: Said["status"]): boolean {
  return status !== "failed" && status !== said && !(status === "succeeded" && said === "pending");
}

/** What a refund has by what was said. */
export function columnsOf(ctx: CallCtx, said: Said) {
  const { status, gatewayRefundId } = said;
  return {
    status,
    gatewayRefundId,
    failureCode: said.status === "failed" ? said.failureCode : null,
    // Not every gateway reports that a refund ended late.
    nextLookAt: status === "pending" ? ctx.now + DAY_MS : null,
    settledAt: status === "pending" ? null : ctx.now,
    ...(status === "succeeded" ? { entryDate: companyToday(ctx) } : {}),
  };
}

/**
 * The statements that move a refund to what was said, with its entry: success posts it, and a failure after success
 * reverses it; none where that is no news. Refused as `refund_moved` where the refund is not as it was read.
 */
export function moveRefund(ctx: CallCtx, seen: StoredRefund, said: Said): SQLWrapper[] {
  const { key, status } = seen;
  if (!isNews(status, said.status)) return [];
  const { gatewayRefundId, ...columns } = columnsOf(ctx, said);
  return [
    ctx.db
      .update(gatewayRefunds)
      .set({ ...columns, gatewayRefundId: gatewayRefundId ?? seen.gatewayRefundId })
      .where(and(eq(gatewayRefunds.key, key), eq(gatewayRefunds.status, status))),
    refuseIfNone("refund_moved"),
    ...(said.status === "succeeded" ? postRefund(ctx, seen) : []),
    ...(said.status === "failed" ? takeBack(ctx, seen) : []),
  ];
}

/** The statements that reverse the entries of a refund that failed; its money bears what else its gateway gave back by itself. */
function takeBack(ctx: CallCtx, { key, status, source, captureId }: StoredRefund): SQLWrapper[] {
  const isPosted = status === "succeeded" || source !== "api";
  const covers = sql`SELECT ${advances.id} FROM ${advances} WHERE ${advances.refundId} = ${idOf(key)}`;
  const reversals = isPosted
    ? reverseEntries(ctx, [
        { sourceType: "gateway_refund", ids: idOf(key) },
        { sourceType: "advance", ids: covers },
      ])
    : [];
  return [...reversals, ...coverRefunds(ctx, captureId, isPosted)];
}

/** The id of the refund with a key. */
export function idOf(key: string): SQL<number> {
  return sql<number>`(SELECT ${gatewayRefunds.id} FROM ${gatewayRefunds} WHERE ${gatewayRefunds.key} = ${key})`;
}

/**
 * The statements that post a refund: what Customer Advances held leaves it, the rest is owed by the customer again, whose
 * credit note says that it was owed back.
 */
export function postRefund(ctx: CallCtx, { key, currency }: Pick<StoredRefund, "key" | "currency">): SQL[] {
  const source = { voucherType: "refund", sourceType: "gateway_refund", sourceId: idOf(key) } as const;
  return postDocument(ctx, source, { currency, date: companyToday(ctx) });
}
