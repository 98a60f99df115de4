import { type SQL, sql } from "drizzle-orm";
import type { Ctx, WriteCtx } from "#core/context.ts";
import { gatewayCaptures } from "#tables/captures";
import { insertOf } from "./columns.ts";
import { gatewayRefunds } from "./tables.ts";

/** The statement after a plan's: a job sends the refunds of this call, as the first to do so. */
export function sendLater(ctx: WriteCtx): SQL {
  return sql`UPDATE ${gatewayRefunds} SET attempts = 0, next_look_at = ${ctx.now}, sent_at = NULL
    WHERE ${gatewayRefunds.operation} = ${ctx.call.id}`;
}

/** The statement that stores a refund of all that waits of each of the captures: a job sends them. */
export function refundLater(ctx: Pick<Ctx, "newId"> & WriteCtx, captures: SQL): SQL {
  const { id, gateway, customerId, advanceAmount, currency } = gatewayCaptures;
  // The key of each is a ULID that ends with its place.
  return sql`INSERT INTO ${gatewayRefunds} (${insertOf()})
    SELECT ${ctx.call.id}, ${`rf-${ctx.newId().slice(0, -4)}`} || printf('%04d', row_number() OVER (ORDER BY ${id})), ${gateway}, ${id}, ${customerId}, NULL, 'api', ${advanceAmount},
      ${advanceAmount}, ${currency}, 'cancellation', NULL, 'normal', 'created', 0, ${ctx.now}, NULL, ${ctx.now}
    FROM ${gatewayCaptures} WHERE ${captures} AND ${advanceAmount} >= iif(${gateway} = 'razorpay', 100, 1) ORDER BY ${id}`;
}
