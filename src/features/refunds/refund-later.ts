import { type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { gatewayRefunds } from "#tables/refunds";

/** The statement after a plan's: a job sends the refunds of this call, as the first to do so. */
export function sendLater(ctx: WriteCtx): SQL {
  return sql`UPDATE ${gatewayRefunds} SET attempts = 0, next_look_at = ${ctx.now}, sent_at = NULL
    WHERE ${gatewayRefunds.operation} = ${ctx.call.id}`;
}
