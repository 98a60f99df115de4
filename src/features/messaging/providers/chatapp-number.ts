import { sql } from "drizzle-orm";
import type { DirectoryCtx } from "#platform/context.ts";
import { messagingProviders as providers } from "./tables.ts";

/** The chat-app number that a provider is for and no other one is; its callbacks name no company. */
export const ownNumber = sql<
  string | null
>`(SELECT json_extract(mine.config, '$.phone_number_id') FROM ${providers} mine
  WHERE mine.id = messaging_providers.id AND NOT EXISTS (SELECT 1 FROM ${providers} other
    WHERE other.id <> mine.id
      AND json_extract(other.config, '$.phone_number_id') = json_extract(mine.config, '$.phone_number_id')))`;

/**
 * Routes a number's callbacks to this company. The routing stands in the control database: it is set before the row, and
 * a retry of the whole call sets it again.
 */
export async function claimNumber(
  ctx: DirectoryCtx,
  { phone_number_id: number }: Record<string, unknown>,
): Promise<void> {
  if (typeof number === "string") await ctx.callbackRoutes.claim(number);
}

/** Ends the routing of a number that no provider is for any more. */
export async function releaseNumber(ctx: DirectoryCtx, number: string | null | undefined): Promise<void> {
  if (typeof number === "string") await ctx.callbackRoutes.release(number);
}
