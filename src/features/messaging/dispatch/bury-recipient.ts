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
  const reason = sql`iif(in_doubt OR dispatch_state = 'dispatching', ${JSON.stringify(UNKNOWN)}, ${JSON.stringify(EXHAUSTED)})`;
  const open = sql`id = ${recipient} AND dispatch_state IN ('pending', 'dispatching')`;
  const results = await ctx.database.write([
    sql`UPDATE ${messageRecipients} SET ${failedColumns(ctx, reason)} WHERE ${open} AND claim_until <= ${ctx.now}`,
    sql`SELECT claim_until FROM ${messageRecipients} WHERE ${open}`,
  ]);
  const heldUntil = results[1]?.rows[0]?.claim_until;
  return heldUntil === undefined ? undefined : secondsUntil(ctx, Number(heldUntil));
}
