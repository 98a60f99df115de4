import { type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { capturesOf } from "#features/gateway-payments";
import { gatewayCaptures } from "#tables/captures";
import { gatewayRefunds } from "#tables/refunds";

/** The statement after a plan's: a job sends the refunds of this call, as the first to do so. */
export function sendLater(ctx: WriteCtx): SQL {
  return sql`UPDATE ${gatewayRefunds} SET attempts = 0, next_look_at = ${ctx.now}, sent_at = NULL
    WHERE ${gatewayRefunds.operation} = ${ctx.call.id}`;
}

/** Whether a gateway gives back by itself what a document of a booking holds, and has not ended that yet. */
export function reportedRefundRuns(id: string): SQL {
  const { captureId, status } = gatewayRefunds;
  return sql`EXISTS (SELECT 1 FROM uncovered_refunds AS refund JOIN ${gatewayRefunds} ON ${gatewayRefunds.id} = refund.id
    WHERE ${status} = 'pending' AND ${captureId} IN (
      SELECT ${gatewayCaptures.id} FROM ${gatewayCaptures} WHERE ${capturesOf("booking", id)}))`;
}

/** Whether a refund through a gateway runs of an order or a booking. */
export function refundRuns(kind: "order" | "booking", id: string | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${gatewayRefunds} WHERE ${gatewayRefunds.status} IN ('created', 'pending')
    AND ${gatewayRefunds.captureId} IN (SELECT ${gatewayCaptures.id} FROM ${gatewayCaptures} WHERE ${capturesOf(kind, id)}))`;
}
