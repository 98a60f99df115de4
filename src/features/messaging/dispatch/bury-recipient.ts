import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { failure } from "#providers/delivery";
import { messageRecipients } from "../messages/tables.ts";
import { failedColumns, secondsUntil, UNKNOWN } from "./end-attempt.ts";

const EXHAUSTED = failure("dispatch_exhausted", "The message could not be handed to its provider");

/**
 * Ends a recipient that was tried too often. Gives the seconds after which to look again where somebody still holds it.
 */
export async function buryRecipient(ctx: Ctx, recipient: number): Promise<number | undefined> {
  const { id, dispatchState, inDoubt, claimUntil } = messageRecipients;
  const reason = sql<string>`iif(${inDoubt} OR ${dispatchState} = 'dispatching', ${JSON.stringify(UNKNOWN)}, ${JSON.stringify(EXHAUSTED)})`;
  const open = sql`${id} = ${recipient} AND ${dispatchState} IN ('pending', 'dispatching')`;
  const results = await ctx.database.write([
    ctx.db
      .update(messageRecipients)
      .set(failedColumns(ctx, reason))
      .where(sql`${open} AND ${claimUntil} <= ${ctx.now}`),
    sql`SELECT claim_until FROM ${messageRecipients} WHERE ${open}`,
  ]);
  const heldUntil = results[1]?.rows[0]?.claim_until;
  return heldUntil === undefined ? undefined : secondsUntil(ctx, Number(heldUntil));
}
