import { and, gt, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#core/context.ts";
import { messageRecipients, messages } from "#tables/messaging";
import { isResting, mostAsked } from "../providers/pause.ts";

const other = alias(messageRecipients, "other");
const carried = alias(messages, "carried");

/**
 * Returns true when one more recipient of an account may be leased: fewer than its share are, and its circuit breaker
 * is not open. `carrier` is the provider's id, or NULL for the platform's mailer. The statement that leases checks
 * this, so two runs never take the same capacity.
 */
export function hasCapacity(ctx: ReadCtx, carrier: SQL): SQL {
  const isHeld = and(
    isNotNull(other.lease),
    sql`${other.dispatchState} IN ('pending', 'dispatching')`,
    gt(other.leasedUntil, ctx.now),
  );
  return sql`(NOT ${isResting(ctx, carrier)} AND (
    SELECT count(*) FROM ${messageRecipients} AS ${other} INDEXED BY message_recipients_leased
    WHERE ${isHeld} AND (SELECT ${carried.providerId} FROM ${messages} AS ${carried}
      WHERE ${carried.id} = ${other.messageId}) IS ${carrier}
  ) < ${mostAsked(carrier)})`;
}
