import { eq, sql } from "drizzle-orm";
import type { DirectoryCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { selectId } from "#core/sql/json.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { isUnsent } from "../dispatch/unsent.ts";
import { messageRecipients, messages } from "../messages/tables.ts";
import { ownNumber, releaseNumber } from "./configuration/chatapp-number.ts";
import { messagingProviders as providers } from "./tables.ts";

/** Removes a provider that has nothing left to send; its messages stay. */
export async function deleteProvider(
  ctx: WriteCtx & DirectoryCtx & OutsideCtx,
  { id }: RecordParams,
): Promise<{ id: number }> {
  // Where messages go from then on is changed by it as by another configuration.
  requireScope(ctx, "messages:read");
  const here = eq(providers.id, id);
  const [[stored]] = await read(ctx, [ctx.db.select({ number: ownNumber }).from(providers).where(here)]);
  const waiting = sql`EXISTS (SELECT 1 FROM ${messageRecipients}
    JOIN ${messages} ON ${messages.id} = ${messageRecipients.messageId}
    WHERE ${isUnsent} AND ${messages.providerId} = ${id})`;
  const row = await atomic(
    ctx,
    [refuseWhen(waiting, "in_use"), ctx.db.delete(providers).where(here), refuseIfNone("not_found")],
    selectId(id),
  );
  await releaseNumber(ctx, stored?.number);
  return row;
}
