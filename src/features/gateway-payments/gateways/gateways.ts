import { eq, sql } from "drizzle-orm";
import type { CallCtx, SealCtx, WriteCtx } from "#platform/context.ts";
import { selectId } from "#platform/sql/json.ts";
import { readList, readOne } from "#platform/sql/read-records.ts";
import { atomic, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import { read } from "#platform/write/operation-memory.ts";
import { GATEWAYS } from "#providers/payment";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { paymentIntents } from "../intents/tables.ts";
import type { GatewayCreate, GatewayPatch } from "./schema.ts";
import { lastFours, type Secrets, sealSecrets, webhookSecretsOf } from "./seals.ts";
import { type GatewayRow, selectGateways } from "./snapshot.ts";
import { gatewayAccounts } from "./tables.ts";

const DEFAULT_PRIORITY = 100;
// The gateways send an event again for up to three days, signed as it was the first time.
const ROTATION_MS = 3 * DAY_MS;

export async function listGateways(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<GatewayRow>> {
  const tail = sql`${gatewayAccounts.id} < ${idBelow(page)} ORDER BY ${gatewayAccounts.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectGateways(tail));
}

export async function getGateway(ctx: CallCtx, { id }: RecordParams): Promise<GatewayRow> {
  return readOne(ctx, selectGateways(eq(gatewayAccounts.id, id)));
}

/** Connects a payment gateway; its secrets are sealed for this row alone. */
export async function createGateway(
  ctx: WriteCtx & SealCtx,
  _params: unknown,
  body: GatewayCreate,
): Promise<GatewayRow> {
  const { kind } = body;
  const secrets = requireSecrets(kind, body);
  if (GATEWAYS[kind].hasWebhookSecret && secrets.webhook_secret === undefined)
    throw fieldProblem("webhook_secret", "required", "is required");
  const currencies = body.currencies ?? GATEWAYS[kind].currencies;
  requireCurrencies(kind, currencies);
  const operation = ctx.call.id;
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
        lastFour: JSON.stringify(lastFours(secrets)),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectGateways(eq(gatewayAccounts.operation, operation)),
  );
}

/** Changes a gateway. Credentials are replaced as a whole; the previous webhook secret counts for three more days. */
export async function updateGateway(
  ctx: WriteCtx & SealCtx,
  { id }: RecordParams,
  patch: GatewayPatch,
): Promise<GatewayRow> {
  const here = eq(gatewayAccounts.id, id);
  const [[row]] = await read(ctx, [ctx.db.select().from(gatewayAccounts).where(here)]);
  if (row === undefined) throw new Problem("not_found");
  if (patch.currencies !== undefined) requireCurrencies(row.kind, patch.currencies);
  const secrets = patch.credentials === undefined ? patch : requireSecrets(row.kind, patch);
  const sealed = await sealSecrets(ctx, row.operation, secrets);
  // The same secret sent again, as by a retry, must not replace the previous one.
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
          lastFour: sql`json_patch(${gatewayAccounts.lastFour}, ${JSON.stringify(lastFours(secrets))})`,
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    selectGateways(here),
  );
}

/** Removes a gateway that no payment went through; others can be switched off. */
export function deleteGateway(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
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
    selectId(id),
  );
}

/** All the secrets that this kind of gateway needs; those of other kinds are dropped. */
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
