import { and, gt, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#platform/context.ts";
import { messageRecipients, messages } from "../messages/tables.ts";
import { isResting, mostAsked } from "../providers/pause.ts";

const other = alias(messageRecipients, "other");
const carried = alias(messages, "carried");

/**
 * Whether one more recipient of an account may be claimed: fewer than its share are, and it is not left alone. `carrier`
 * is the provider's id, or NULL for the platform's mailer. Judged inside the claim, so that no two runs take the same room.
 */
export function hasRoom(ctx: ReadCtx, carrier: SQL): SQL {
  const isHeld = and(
    isNotNull(other.claim),
    sql`${other.dispatchState} IN ('pending', 'dispatching')`,
    gt(other.claimUntil, ctx.now),
  );
  return sql`(NOT ${isResting(ctx, carrier)} AND (
    SELECT count(*) FROM ${messageRecipients} AS ${other} INDEXED BY message_recipients_claimed
    WHERE ${isHeld} AND (SELECT ${carried.providerId} FROM ${messages} AS ${carried}
      WHERE ${carried.id} = ${other.messageId}) IS ${carrier}
  ) < ${mostAsked(carrier)})`;
}
