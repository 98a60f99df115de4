import { eq, type SQL, sql } from "drizzle-orm";
import { atomic, refuseIfNone, refuseWhen } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { type JsonRow, jsonObject, once } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { readList, readOne } from "#platform/read-records.ts";
import { GATEWAYS } from "#providers/payment";
import { timestampToWire } from "#shared/dates.ts";
import { DAY_MS } from "#shared/durations.ts";
import type { GatewayKind } from "#shared/gateways.ts";
import { lastFour } from "#shared/last-four.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { sealedField, webhookSecretsOf } from "./accounts.ts";
import type { GatewayCreate, GatewayParams, GatewayPatch } from "./schema.ts";
import { gatewayAccounts, paymentIntents } from "./tables.ts";

const DEFAULT_PRIORITY = 100;
// The gateways send an event again for up to three days, signed as it was the first time.
const ROTATION_MS = 3 * DAY_MS;

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
type GatewayRow = JsonRow<typeof shape>;
type Secrets = { credentials?: GatewayPatch["credentials"]; webhook_secret?: string | undefined };
const columns = once(() => jsonObject(shape));

export async function listGateways(
  ctx: Ctx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<GatewayRow>> {
  const tail = sql`${gatewayAccounts.id} < ${idBelow(page)} ORDER BY ${gatewayAccounts.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectGateways(tail));
}

export async function getGateway(ctx: Ctx, { id }: GatewayParams): Promise<GatewayRow> {
  return readOne(ctx, selectGateways(eq(gatewayAccounts.id, id)));
}

/** Connects a payment gateway; its secrets are sealed for this row alone. */
export async function createGateway(ctx: Ctx, _params: unknown, body: GatewayCreate): Promise<GatewayRow> {
  const { kind } = body;
  const secrets = requireSecrets(kind, body);
  if (GATEWAYS[kind].hasWebhookSecret && secrets.webhook_secret === undefined)
    throw fieldProblem("webhook_secret", "required", "is required");
  const currencies = body.currencies ?? GATEWAYS[kind].currencies;
  requireCurrencies(kind, currencies);
  const operation = ctx.operation.id;
  const sealed = await sealSecrets(ctx, operation, secrets);
  return atomic(
    ctx,
    [
      ctx.db.insert(gatewayAccounts).values({
        operation,
        kind,
        mode: body.mode,
        currencies: JSON.stringify(currencies),
        priority: body.priority ?? DEFAULT_PRIORITY,
        isActive: Number(body.is_active ?? true),
        credentials: sealed.credentials ?? "",
        webhookSecret: sealed.webhookSecret ?? null,
        lastFour: JSON.stringify(ends(secrets)),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectGateways(eq(gatewayAccounts.operation, operation)),
  );
}

/** Changes a gateway. Credentials are replaced as a whole; the webhook secret before a new one still counts for a while. */
export async function updateGateway(
  ctx: Ctx,
  { id }: GatewayParams,
  patch: GatewayPatch,
): Promise<GatewayRow> {
  const here = eq(gatewayAccounts.id, id);
  const [[row]] = await read(ctx, [ctx.db.select().from(gatewayAccounts).where(here)]);
  if (row === undefined) throw new Problem("not_found");
  if (patch.currencies !== undefined) requireCurrencies(row.kind, patch.currencies);
  const secrets = patch.credentials === undefined ? patch : requireSecrets(row.kind, patch);
  const sealed = await sealSecrets(ctx, row.operation, secrets);
  // The same secret sent again, by a retry say, must not drive out the one before it.
  const [current] = await webhookSecretsOf(ctx, row);
  const rotating = patch.webhook_secret !== undefined && patch.webhook_secret !== current;
  return atomic(
    ctx,
    [
      ctx.db
        .update(gatewayAccounts)
        .set({
          mode: patch.mode,
          currencies: patch.currencies === undefined ? undefined : JSON.stringify(patch.currencies),
          priority: patch.priority,
          isActive: patch.is_active === undefined ? undefined : Number(patch.is_active),
          ...sealed,
          previousWebhookSecret: rotating ? sql`${gatewayAccounts.webhookSecret}` : undefined,
          previousValidUntil: rotating ? ctx.now + ROTATION_MS : undefined,
          lastFour: sql`json_patch(${gatewayAccounts.lastFour}, ${JSON.stringify(ends(secrets))})`,
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    selectGateways(here),
  );
}

/** Removes a gateway that no payment went through; others can be switched off. */
export function deleteGateway(ctx: Ctx, { id }: GatewayParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      refuseWhen(
        sql`EXISTS (SELECT 1 FROM ${paymentIntents} WHERE ${paymentIntents.gatewayAccountId} = ${id})`,
        "in_use",
      ),
      ctx.db.delete(gatewayAccounts).where(eq(gatewayAccounts.id, id)),
      refuseIfNone("not_found"),
    ],
    sql<{ id: number }>`SELECT json_object('id', ${id})`,
  );
}

export function renderGateway({ last_four, ...row }: GatewayRow, ctx: Ctx) {
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

function selectGateways(tail: SQL): SQL<GatewayRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${gatewayAccounts} WHERE ${tail}`;
}

/** The secrets that a kind of gateway has, all of them; what another kind has is dropped. */
function requireSecrets(kind: GatewayKind, { credentials = {}, webhook_secret }: Secrets): Secrets {
  const needed: Record<string, string> = {};
  for (const name of GATEWAYS[kind].credentials) {
    const value = credentials[name as keyof typeof credentials];
    if (value === undefined) throw fieldProblem(`credentials.${name}`, "required", `is required by ${kind}`);
    needed[name] = value;
  }
  return { credentials: needed, webhook_secret };
}

function requireCurrencies(kind: GatewayKind, currencies: readonly string[]): void {
  const index = currencies.findIndex((currency) => !GATEWAYS[kind].currencies.includes(currency));
  if (index < 0) return;
  throw fieldProblem(
    `currencies[${index}]`,
    "currency_not_supported",
    `is not taken by ${kind}`,
    "currency_not_supported",
  );
}

async function sealSecrets(ctx: Ctx, operation: string, { credentials, webhook_secret: secret }: Secrets) {
  const sealed: { credentials?: string; webhookSecret?: string } = {};
  if (credentials !== undefined)
    sealed.credentials = await ctx.seal(sealedField("credentials", operation), JSON.stringify(credentials));
  if (secret !== undefined)
    sealed.webhookSecret = await ctx.seal(sealedField("webhook_secret", operation), secret);
  return sealed;
}

function ends({ credentials = {}, webhook_secret }: Secrets): Record<string, string> {
  const named = Object.entries({ ...credentials, webhook_secret });
  return Object.fromEntries(
    named.flatMap(([name, value]) => (value === undefined ? [] : [[name, lastFour(value)]])),
  );
}
