import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import type { GatewayAccount, GatewayKind } from "#providers/payment";
import { gatewayAccounts } from "./tables.ts";

export type AccountRow = typeof gatewayAccounts.$inferSelect;

/** The query for the account that payments in a currency go through: the active one of the lowest priority. */
export function accountFor(ctx: Ctx, currency: string) {
  return ctx.db
    .select()
    .from(gatewayAccounts)
    .where(
      and(
        eq(gatewayAccounts.isActive, 1),
        sql`EXISTS (SELECT 1 FROM json_each(${gatewayAccounts.currencies}) WHERE value = ${currency})`,
      ),
    )
    .orderBy(gatewayAccounts.priority, gatewayAccounts.id)
    .limit(1);
}

/** The query for a company's active accounts of one kind. */
export function accountsOf(ctx: Ctx, kind: GatewayKind) {
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

/** An account with its secrets open; the webhook secret before the last rotation counts until its time is over. */
export async function openAccount(ctx: Ctx, row: AccountRow): Promise<GatewayAccount> {
  const { kind, mode, operation } = row;
  const rotating = row.previousValidUntil !== null && row.previousValidUntil > ctx.now;
  const sealed = [row.webhookSecret, rotating ? row.previousWebhookSecret : null];
  const [credentials, ...webhookSecrets] = await Promise.all([
    ctx.open(sealedField("credentials", operation), row.credentials),
    ...sealed.flatMap((secret) =>
      secret === null ? [] : [ctx.open(sealedField("webhook_secret", operation), secret)],
    ),
  ]);
  const address = kind === "paypal" ? ctx.services.paypal[mode] : ctx.services[kind];
  return { mode, credentials: JSON.parse(credentials), webhookSecrets, address };
}
