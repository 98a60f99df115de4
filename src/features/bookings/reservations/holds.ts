import { type SQL, sql } from "drizzle-orm";
import { type Refusals, refuseWhen } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { Problem } from "#shared/problem.ts";
import { findCustomers } from "../find-customers.ts";
import { bookings } from "../tables.ts";
import type { Payer } from "./payment.ts";

const HOUR_MS = 3_600_000;
const MOST_OF_CUSTOMER = 3;
const MOST_OF_CLIENT = 5;

/**
 * Aborts the batch where a page's visitor keeps too many slots unpaid, or takes too many, free ones too: anyone can call
 * with a publishable key.
 */
export function refuseManyHolds(ctx: Ctx, payer: Payer, client: string | null, isFree: boolean): SQL[] {
  if (client === null) return [];
  const count = (where: SQL) => sql`(SELECT count(*) FROM ${bookings} WHERE ${where})`;
  const unpaid = refuseWhen(sql`${count(unpaidOf(ctx, payer))} >= ${MOST_OF_CUSTOMER}`, "too_many_holds");
  const recent = refuseWhen(sql`${count(recentOf(ctx, client))} >= ${MOST_OF_CLIENT}`, "too_many_holds");
  return isFree ? [recent] : [unpaid, recent];
}

/** The 429 of too many holds, with when there is room again. */
export function holdRefusals(ctx: Ctx, payer: Payer, client: string | null): Refusals {
  return {
    too_many_holds: async () => {
      const select = sql<{ at: number | null }>`SELECT max(
        coalesce((SELECT min(${bookings.holdExpiresAt}) FROM ${bookings} WHERE ${unpaidOf(ctx, payer)}
          GROUP BY NULL HAVING count(*) >= ${MOST_OF_CUSTOMER}), 0),
        coalesce((SELECT min(${bookings.createdAt}) + ${HOUR_MS} FROM ${bookings} WHERE ${recentOf(ctx, client ?? "")}
          GROUP BY NULL HAVING count(*) >= ${MOST_OF_CLIENT}), 0)) AS at`;
      const [[found]] = await ctx.database.read([ctx.db.all<{ at: number | null }>(select)]);
      const seconds = Math.max(1, Math.ceil(((found?.at ?? 0) - ctx.now) / 1_000));
      return new Problem("too_many_holds", {
        message: "Pay or cancel the bookings that are pending first, or try again later",
        members: { retry_after: seconds },
        headers: { "Retry-After": String(seconds) },
      });
    },
  };
}

/** The customer's bookings that wait to be paid; known by e-mail address or phone. */
function unpaidOf(ctx: Ctx, { email, phone }: Payer): SQL {
  return sql`${bookings.customerId} IN (${findCustomers(email, phone)}) AND ${bookings.status} = 'pending' AND ${bookings.paymentStatus} = 'unpaid'
    AND (${bookings.holdExpiresAt} IS NULL OR ${bookings.holdExpiresAt} > ${ctx.now})`;
}

/** What came from this client's address within the hour. */
function recentOf(ctx: Ctx, client: string): SQL {
  return sql`${bookings.client} = ${client} AND ${bookings.createdAt} > ${ctx.now - HOUR_MS}`;
}
