import type { EncryptionCtx, OutsideCtx, ReadCtx } from "#core/context.ts";
import { secretKind } from "#core/secrets/secret-kind.ts";
import { GATEWAYS, type GatewayAccount } from "#providers/payment";
import { lastFour } from "#shared/text/last-four.ts";
import { gatewayAccounts } from "#tables/gateway-payments";
import type { AccountRow } from "./accounts.ts";
import type { GatewayPatch } from "./schema.ts";

/** The secrets of an account as they are sent. */
export type Secrets = { credentials?: GatewayPatch["credentials"]; webhook_secret?: string | undefined };

const row = { table: gatewayAccounts, id: gatewayAccounts.id, key: gatewayAccounts.operation };
export const gatewayCredentials = secretKind("gateway_accounts.credentials.", {
  ...row,
  column: gatewayAccounts.credentials,
});
export const webhookSecrets = secretKind(
  "gateway_accounts.webhook_secret.",
  { ...row, column: gatewayAccounts.webhookSecret },
  { ...row, column: gatewayAccounts.previousWebhookSecret },
);

/** An account with its credentials open. */
export async function openAccount(ctx: EncryptionCtx & OutsideCtx, row: AccountRow): Promise<GatewayAccount> {
  const { kind, mode, operation } = row;
  const credentials = await ctx.decrypt(gatewayCredentials, operation, row.credentials);
  const address = ctx.services.addressOf(kind, GATEWAYS[kind].addresses[mode]);
  return { mode, credentials: JSON.parse(credentials), address };
}

/** What an account's events may be signed with: the current secret, and the previous one while it still counts. */
export function webhookSecretsOf(ctx: EncryptionCtx & ReadCtx, row: AccountRow): Promise<string[]> {
  const changing = row.previousValidUntil !== null && row.previousValidUntil > ctx.now;
  const encrypted = [row.webhookSecret, changing ? row.previousWebhookSecret : null];
  return Promise.all(
    encrypted.flatMap((secret) =>
      secret === null ? [] : [ctx.decrypt(webhookSecrets, row.operation, secret)],
    ),
  );
}

/** The columns of the secrets sent, encrypted for the row that `operation` made. */
export async function encryptSecrets(
  ctx: EncryptionCtx,
  operation: string,
  { credentials, webhook_secret: secret }: Secrets,
) {
  const encrypted: { credentials?: string; webhookSecret?: string } = {};
  if (credentials !== undefined)
    encrypted.credentials = await ctx.encrypt(gatewayCredentials, operation, JSON.stringify(credentials));
  if (secret !== undefined) encrypted.webhookSecret = await ctx.encrypt(webhookSecrets, operation, secret);
  return encrypted;
}

/** The last four characters of each secret sent, by its name. */
export function lastFours({ credentials = {}, webhook_secret }: Secrets): Record<string, string> {
  const named = Object.entries({ ...credentials, webhook_secret });
  return Object.fromEntries(
    named.flatMap(([name, value]) => (value === undefined ? [] : [[name, lastFour(value)]])),
  );
}
