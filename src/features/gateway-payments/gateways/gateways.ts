import { eq, sql } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import type { EncryptionCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { requireSettingRights } from "#core/required-scope.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { recordVerbs } from "#core/write/collection.ts";
import { read } from "#core/write/replay.ts";
import { GATEWAYS } from "#providers/payment";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { gatewayCaptures } from "#tables/captures";
import { gatewayAccounts, paymentIntents } from "#tables/gateway-payments";
import { type GatewayRow, gateway } from "./record.ts";
import { GatewayCreate, GatewayPatch } from "./schema.ts";
import { encryptSecrets, lastFours, type Secrets, webhookSecretsOf } from "./secret-kinds.ts";

const DEFAULT_PRIORITY = 100;
// The gateways send an event again for up to three days, signed as it was the first time.
const ROTATION_MS = 3 * DAY_MS;

const verbs = recordVerbs({
  record: gateway,
  usedBy: (id) =>
    sql`EXISTS (SELECT 1 FROM ${paymentIntents} WHERE ${paymentIntents.gatewayAccountId} = ${id})
      OR EXISTS (SELECT 1 FROM ${gatewayCaptures}
        WHERE ${gatewayCaptures.gatewayAccountId} = ${id} AND ${gatewayCaptures.intentId} IS NULL)`,
});

export const gatewayRoutes = new Router("Settings: Payment gateways", "/payment-gateways").collection({
  ids: { one: "PaymentGateway", list: "listPaymentGateways" },
  words: ["a payment gateway", "payment gateways"],
  record: gateway,
  create: GatewayCreate,
  patch: GatewayPatch,
  verbs: {
    ...verbs,
    create: createGateway,
    update: updateGateway,
    async remove(ctx: WriteCtx & OutsideCtx, params: RecordParams) {
      requireGatewayRights(ctx);
      return verbs.remove(ctx, params);
    },
  },
  problems: { create: ["currency_not_supported"], update: ["currency_not_supported"], delete: ["in_use"] },
  notes: {
    create: {
      summary: "Connect a payment gateway",
      description:
        "Point the gateway's webhook at `webhook_url`: only its events turn payments into invoices. Asks also for `payments:write`, as every write of a gateway does; the company gets a notice of one that comes beside another.",
    },
    update: {
      description:
        "Credentials are replaced as a whole; the company gets a notice of others. Asks also for `payments:write`.",
    },
    delete: {
      description:
        "Refused once a payment went through it; it can be switched off instead. Asks also for `payments:write`.",
    },
  },
});

/** What a gateway signs turns orders into paid ones, and its account gets the money. */
function requireGatewayRights(ctx: Pick<OutsideCtx, "client">): void {
  requireSettingRights(ctx, "payment-gateways");
}

/** Connects a payment gateway; its secrets are encrypted for this row alone. */
async function createGateway(
  ctx: WriteCtx & EncryptionCtx & OutsideCtx,
  _params: unknown,
  body: GatewayCreate,
): Promise<GatewayRow> {
  requireGatewayRights(ctx);
  const { kind } = body;
  const secrets = requireSecrets(kind, body);
  if (GATEWAYS[kind].hasWebhookSecret && secrets.webhook_secret === undefined)
    throw fieldProblem("webhook_secret", "required", "is required");
  const currencies = body.currencies ?? GATEWAYS[kind].currencies;
  requireCurrencies(kind, currencies);
  const operation = ctx.call.id;
  const encrypted = await encryptSecrets(ctx, operation, secrets);
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
        credentials: encrypted.credentials ?? "",
        webhookSecret: encrypted.webhookSecret ?? null,
        lastFour: JSON.stringify(lastFours(secrets)),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    gateway.select(eq(gatewayAccounts.operation, operation)),
  );
}

/** Changes a gateway. Credentials are replaced as a whole; the previous webhook secret counts for three more days. */
async function updateGateway(
  ctx: WriteCtx & EncryptionCtx & OutsideCtx,
  { id }: RecordParams,
  patch: GatewayPatch,
): Promise<GatewayRow> {
  requireGatewayRights(ctx);
  const here = eq(gatewayAccounts.id, id);
  const [[row]] = await read(ctx, [ctx.db.select().from(gatewayAccounts).where(here)]);
  if (row === undefined) throw new Problem("not_found");
  if (patch.currencies !== undefined) requireCurrencies(row.kind, patch.currencies);
  const secrets = patch.credentials === undefined ? patch : requireSecrets(row.kind, patch);
  const encrypted = await encryptSecrets(ctx, row.operation, secrets);
  // The same secret sent again, as by a retry, must not replace the previous one.
  const [current] = await webhookSecretsOf(ctx, row);
  const rotating = patch.webhook_secret !== undefined && patch.webhook_secret !== current;
  return atomic(
    ctx,
    [
      ctx.db
        .update(gatewayAccounts)
        .set({
          ...columnsOf(gatewayAccounts, patch, ["credentials", "webhook_secret", "currencies"]),
          currencies: patch.currencies && JSON.stringify(patch.currencies),
          ...encrypted,
          previousWebhookSecret: rotating ? sql`${gatewayAccounts.webhookSecret}` : undefined,
          previousValidUntil: rotating ? ctx.now + ROTATION_MS : undefined,
          lastFour: sql`json_patch(${gatewayAccounts.lastFour}, ${JSON.stringify(lastFours(secrets))})`,
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    gateway.select(here),
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
