import { sql } from "drizzle-orm";
import type { EncryptionCtx, ReadCtx } from "#core/context.ts";
import { secretKind } from "#core/secrets/secret-kind.ts";
import { operations, settingChanges } from "#tables/core";
import { messagingProviders } from "#tables/messaging";

const row = { table: messagingProviders, id: messagingProviders.id, key: messagingProviders.operation };
export const providerConfigs = secretKind(
  "config of messaging provider ",
  { ...row, column: messagingProviders.encryptedConfig },
  // The provider that carries the notice of a change, as it was before.
  {
    table: settingChanges,
    id: settingChanges.id,
    column: settingChanges.route,
    path: "$.provider.sealed_config",
    key: sql`${settingChanges.route} ->> '$.provider.operation'`,
  },
);
/** The token that alone lets a provider call back. */
export const providerTokens = secretKind(
  "token of messaging provider ",
  { ...row, column: messagingProviders.encryptedToken },
  // The remembered answers of what made or changed a provider.
  {
    table: operations,
    id: operations.idempotencyRecordKey,
    column: operations.snapshot,
    path: "$.sealed_token",
    key: sql`${operations.snapshot} ->> '$.operation'`,
  },
);

/** Encrypts a provider's configuration. Only the row that `operation` names can decrypt it. */
export function encryptConfig(
  ctx: ReadCtx & EncryptionCtx,
  operation: string,
  config: unknown,
): Promise<string> {
  return ctx.encrypt(providerConfigs, operation, JSON.stringify(config));
}

export async function openConfig(
  ctx: ReadCtx & EncryptionCtx,
  operation: string,
  encrypted: string,
): Promise<unknown> {
  return JSON.parse(await ctx.decrypt(providerConfigs, operation, encrypted));
}
