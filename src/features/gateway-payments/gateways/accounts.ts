import { and, desc, eq, or, type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { gatewayAccounts, paymentIntents } from "#tables/gateway-payments";

export type AccountRow = typeof gatewayAccounts.$inferSelect;

/** The query for the active accounts that take a currency. Payments go through the first, which has the lowest priority. */
export const accountsFor = keptQuery((db, { currency }: Given<{ currency: string | SQL<string> }>) =>
  db
    .select()
    .from(gatewayAccounts)
    .where(takes(currency))
    .orderBy(gatewayAccounts.priority, gatewayAccounts.id),
);

/** The condition that some gateway takes payments in a currency. */
export function hasGateway(currency: string | SQL<string>): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM ${gatewayAccounts} WHERE ${takes(currency)})`;
}

/** The condition that an account is active, as it was read. */
export function isAsRead({ id, updatedAt }: Given<{ id: number; updatedAt: number }>): SQL {
  return sql`EXISTS (SELECT 1 FROM ${gatewayAccounts} WHERE ${gatewayAccounts.id} = ${id}
    AND ${gatewayAccounts.updatedAt} = ${updatedAt} AND ${gatewayAccounts.isActive} = 1)`;
}

function takes(currency: string | SQL): SQL {
  return sql`${gatewayAccounts.isActive} = 1
    AND EXISTS (SELECT 1 FROM json_each(${gatewayAccounts.currencies}) WHERE value = ${currency})`;
}

const wasUsed = sql`EXISTS (SELECT 1 FROM ${paymentIntents} WHERE ${paymentIntents.gatewayAccountId} = ${gatewayAccounts.id})`;

/** The query for a company's accounts of one kind that gateways report of: the active ones first, then those that took payments. */
export function accountsOf(ctx: Pick<ReadCtx, "db">, kind: GatewayKind) {
  return ctx.db
    .select()
    .from(gatewayAccounts)
    .where(and(eq(gatewayAccounts.kind, kind), or(eq(gatewayAccounts.isActive, 1), wasUsed)))
    .orderBy(desc(gatewayAccounts.isActive), gatewayAccounts.priority, gatewayAccounts.id);
}
