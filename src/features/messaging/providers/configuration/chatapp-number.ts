import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { DirectoryCtx, OutsideCtx } from "#core/context.ts";
import { askForNumber, type MetaConfig } from "#providers/chatapp";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { messagingProviders as providers } from "#tables/messaging";

const other = alias(providers, "other");
const numberOf = ({ config }: { config: SQLiteColumn }): SQL =>
  sql`json_extract(${config}, '$.phone_number_id')`;
const isShared = sql`EXISTS (SELECT 1 FROM ${providers} AS ${other}
  WHERE ${other.id} <> ${providers.id} AND ${numberOf(other)} = ${numberOf(providers)})`;

/** The chat-app number that a provider is for and no other one is; its callbacks name no company. */
export const ownNumber = sql<string | null>`iif(${isShared}, NULL, ${numberOf(providers)})`;

/**
 * Routes a number's callbacks to this company, whose token has to open it: what people write to it is for no other. The
 * routing stands in the control database: it is set before the row, and a retry of the whole call sets it again.
 */
export async function assignNumber(
  ctx: DirectoryCtx & OutsideCtx,
  config: Record<string, unknown>,
): Promise<void> {
  const { phone_number_id: number } = config;
  if (typeof number !== "string") return;
  const shown = await askForNumber(ctx.services, config as MetaConfig);
  if (shown.kind === "refused")
    throw fieldProblem("config.access_token", "not_accepted", "opens no number of this id at Meta");
  if (shown.kind !== "accepted") throw new Problem("unavailable");
  await ctx.callbackRoutes.assign(number);
}

/** Ends the routing of a number that no provider is for any more. */
export async function releaseNumber(ctx: DirectoryCtx, number: string | null | undefined): Promise<void> {
  if (typeof number === "string") await ctx.callbackRoutes.release(number);
}
