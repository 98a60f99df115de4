import { type SQL, sql } from "drizzle-orm";
import type { Ctx, WriteCtx } from "#core/context.ts";
import { gatewayCaptures } from "#tables/captures";
import { insertOf } from "./columns.ts";
import { gatewayRefunds } from "./tables.ts";

/** The statement that stores the refund of all that waits of the first of the captures: a job sends it. */
export function refundLater(ctx: Pick<Ctx, "newId"> & WriteCtx, captures: SQL): SQL {
  const { id, gateway, customerId, advanceAmount, currency } = gatewayCaptures;
  return sql`INSERT INTO ${gatewayRefunds} (${insertOf()})
    SELECT ${ctx.call.id}, ${`rf-${ctx.newId()}`}, ${gateway}, ${id}, ${customerId}, NULL, 'api', ${advanceAmount},
      ${advanceAmount}, ${currency}, 'cancellation', NULL, 'created', 0, ${ctx.now}, NULL, ${ctx.now}
    FROM ${gatewayCaptures} WHERE ${captures} AND ${advanceAmount} > 0 ORDER BY ${id} LIMIT 1`;
}
