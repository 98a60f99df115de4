import { and, eq, type SQL, sql } from "drizzle-orm";
import type { OutsideCtx, ReadCtx, SealCtx } from "#platform/context.ts";
import { GATEWAYS, type GatewayAccount } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { gatewayAccounts } from "./tables.ts";

export type AccountRow = typeof gatewayAccounts.$inferSelect;

/** The query for the account that payments in a currency go through: the active one of the lowest priority. */
export function accountFor(ctx: Pick<ReadCtx, "db">, currency: string) {
  return ctx.db
    .select()
    .from(gatewayAccounts)
    .where(takes(currency))
    .orderBy(gatewayAccounts.priority, gatewayAccounts.id)
    .limit(1);
}

/** The condition that some gateway takes payments in a currency. */
export function hasGateway(currency: string): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM ${gatewayAccounts} WHERE ${takes(currency)})`;
}

function takes(currency: string): SQL {
  return sql`${gatewayAccounts.isActive} = 1
    AND EXISTS (SELECT 1 FROM json_each(${gatewayAccounts.currencies}) WHERE value = ${currency})`;
}

/** The query for a company's active accounts of one kind. */
export function accountsOf(ctx: Pick<ReadCtx, "db">, kind: GatewayKind) {
  return ctx.db
    .select()
    .from(gatewayAccounts)
    .where(and(eq(gatewayAccounts.isActive, 1), eq(gatewayAccounts.kind, kind)))
    .orderBy(gatewayAccounts.priority, gatewayAccounts.id);
}

/** The place that a secret of an account is sealed for: a row that is copied to another does not open there. */
export function sealedField(name: "credentials" | "webhook_secret", operation: string): string {
  return `gateway_accounts.${name}.${operation}`;
}

/** An account with its credentials open. */
export async function openAccount(ctx: SealCtx & OutsideCtx, row: AccountRow): Promise<GatewayAccount> {
  const { kind, mode, operation } = row;
  const credentials = await ctx.open(sealedField("credentials", operation), row.credentials);
  const address = ctx.services.addressOf(kind, GATEWAYS[kind].addresses[mode]);
  return { mode, credentials: JSON.parse(credentials), address };
}

/** What an account's events may be signed with: the secret before the last change counts until its time is over. */
export function webhookSecretsOf(ctx: SealCtx & ReadCtx, row: AccountRow): Promise<string[]> {
  const changing = row.previousValidUntil !== null && row.previousValidUntil > ctx.now;
  const sealed = [row.webhookSecret, changing ? row.previousWebhookSecret : null];
  const field = sealedField("webhook_secret", row.operation);
  return Promise.all(sealed.flatMap((secret) => (secret === null ? [] : [ctx.open(field, secret)])));
}
