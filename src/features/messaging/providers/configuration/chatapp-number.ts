import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { DirectoryCtx } from "#core/context.ts";
import { messagingProviders as providers } from "../tables.ts";

const other = alias(providers, "other");
const numberOf = ({ config }: { config: SQLiteColumn }): SQL =>
  sql`json_extract(${config}, '$.phone_number_id')`;
const isShared = sql`EXISTS (SELECT 1 FROM ${providers} AS ${other}
  WHERE ${other.id} <> ${providers.id} AND ${numberOf(other)} = ${numberOf(providers)})`;

/** The chat-app number that a provider is for and no other one is; its callbacks name no company. */
export const ownNumber = sql<string | null>`iif(${isShared}, NULL, ${numberOf(providers)})`;

/**
 * Routes a number's callbacks to this company. The routing stands in the control database: it is set before the row, and
 * a retry of the whole call sets it again.
 */
export async function assignNumber(
  ctx: DirectoryCtx,
  { phone_number_id: number }: Record<string, unknown>,
): Promise<void> {
  if (typeof number === "string") await ctx.callbackRoutes.assign(number);
}

/** Ends the routing of a number that no provider is for any more. */
export async function releaseNumber(ctx: DirectoryCtx, number: string | null | undefined): Promise<void> {
  if (typeof number === "string") await ctx.callbackRoutes.release(number);
}
