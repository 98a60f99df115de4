import { sql } from "drizzle-orm";
import type { ReadCtx, SealCtx } from "#platform/context.ts";
import { sealedKind } from "#platform/secrets/sealed-kind.ts";
import { operations } from "#platform/write/tables.ts";
import { messagingProviders } from "../tables.ts";

const row = { table: messagingProviders, id: messagingProviders.id, key: messagingProviders.operation };
export const providerConfigs = sealedKind("config of messaging provider ", {
  ...row,
  column: messagingProviders.sealedConfig,
});
/** The token that alone lets a provider call back. */
export const providerTokens = sealedKind(
  "token of messaging provider ",
  { ...row, column: messagingProviders.sealedToken },
  // The remembered answers of what made or changed a provider.
  {
    table: operations,
    id: operations.memoryKey,
    column: operations.snapshot,
    path: "$.sealed_token",
    key: sql`${operations.snapshot} ->> '$.operation'`,
  },
);

/** Seals a provider's configuration. It opens only in the row that `operation` names. */
export function sealConfig(ctx: ReadCtx & SealCtx, operation: string, config: unknown): Promise<string> {
  return ctx.seal(providerConfigs, operation, JSON.stringify(config));
}

export async function openConfig(
  ctx: ReadCtx & SealCtx,
  operation: string,
  sealed: string,
): Promise<unknown> {
  return JSON.parse(await ctx.open(providerConfigs, operation, sealed));
}
