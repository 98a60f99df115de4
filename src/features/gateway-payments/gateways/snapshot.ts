import { type SQL, sql } from "drizzle-orm";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { gatewayAccounts } from "./tables.ts";

const shape = {
  id: gatewayAccounts.id,
  kind: gatewayAccounts.kind,
  mode: gatewayAccounts.mode,
  currencies: sql<string[]>`json(${gatewayAccounts.currencies})`,
  priority: gatewayAccounts.priority,
  is_active: gatewayAccounts.isActive,
  last_four: sql<Record<string, string>>`json(${gatewayAccounts.lastFour})`,
  created_at: gatewayAccounts.createdAt,
  updated_at: gatewayAccounts.updatedAt,
};
/** A gateway as the database holds it, without its secrets. */
export type GatewayRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of gateways; `tail` goes on after WHERE. */
export function selectGateways(tail: SQL): SQL<GatewayRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${gatewayAccounts} WHERE ${tail}`;
}

export function renderGateway({ last_four, ...row }: GatewayRow, ctx: ReadCtx & OutsideCtx) {
  const { webhook_secret, ...credentials } = Object.fromEntries(
    Object.entries(last_four).map(([name, last]) => [name, { configured: true as const, last_four: last }]),
  );
  return {
    ...row,
    id: String(row.id),
    is_active: row.is_active === 1,
    credentials,
    webhook_secret: webhook_secret ?? null,
    webhook_url: `${ctx.origin}/api/v1/storefront/${ctx.company.slug}/webhook/${row.kind}`,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
