import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { logFault } from "#platform/log.ts";
import { outcomeUnknown } from "#platform/operation-memory.ts";
import { GATEWAYS, GatewayError, type OpenedPayment, type Payable } from "#providers/payment";
import { MINUTE_MS } from "#shared/durations.ts";
import { Problem } from "#shared/problem.ts";
import { type AccountRow, openAccount } from "./accounts.ts";
import { paymentIntents } from "./tables.ts";

const FIRST_LOOK_MS = 15 * MINUTE_MS;

export type IntentRow = typeof paymentIntents.$inferSelect;

/** A payment that a gateway has been asked to take, and what its payer needs to make it. */
export type Opened = OpenedPayment & { gateway: AccountRow["kind"] };

/** What is to be paid: an order's or a booking's price in minor units, and where its payer comes back to. */
export type PaymentRequest = Pick<
  Payable,
  "kind" | "refId" | "currency" | "returnUrl" | "cancelUrl" | "customer" | "description"
> & { amountMinor: number; number?: string };

/** The statement that notes a payment before its gateway is asked; one for each call of an operation. */
export function insertIntent(
  ctx: Ctx,
  account: Pick<AccountRow, "id" | "kind">,
  intent: { kind: IntentRow["kind"]; refId: SQL<string> | string; amountMinor: number; currency: string },
): SQL {
  return sql`INSERT INTO ${paymentIntents}
    (operation, kind, ref_id, gateway, gateway_account_id, amount, currency, next_look_at, created_at)
    VALUES (${ctx.operation.id}, ${intent.kind}, ${intent.refId}, ${account.kind}, ${account.id}, ${intent.amountMinor},
      ${intent.currency}, ${ctx.now + FIRST_LOOK_MS}, ${ctx.now})
    ON CONFLICT (operation) DO NOTHING`;
}

/** The id of the intent that this call noted. */
export function intentOf(ctx: Ctx): SQL<number> {
  return sql<number>`(SELECT id FROM ${paymentIntents} WHERE operation = ${ctx.operation.id})`;
}

/**
 * Asks the gateway for a payment and keeps the gateway's id of it. Throws 400 `payment_gateway_error` when the gateway
 * does not open it; the intent has then failed, together with what `onFailure` does.
 */
export async function openIntent(
  ctx: Ctx,
  row: AccountRow,
  intentId: number,
  request: PaymentRequest,
  onFailure: readonly SQL[] = [],
): Promise<Opened> {
  const { amountMinor: amount, number = request.description, ...rest } = request;
  const payable: Payable = {
    ...rest,
    number,
    amount,
    intentId,
    company: ctx.company.slug,
    companyName: ctx.company.name,
  };
  let opened: OpenedPayment;
  try {
    opened = await GATEWAYS[row.kind].open(await openAccount(ctx, row), payable);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    logFault(row.kind, error, ctx.requestId);
    await note(ctx, [
      sql`UPDATE ${paymentIntents} SET status = 'failed' WHERE id = ${intentId} AND status = 'created'`,
      ...onFailure,
    ]);
    throw new Problem("payment_gateway_error");
  }
  await note(ctx, [
    sql`UPDATE ${paymentIntents} SET gateway_order_id = ${opened.gatewayOrderId}
      WHERE id = ${intentId} AND status <> 'paid'`,
  ]);
  return { ...opened, gateway: row.kind };
}

/** What is to be paid stands by now, so a database that does not answer leaves the call in doubt, not undone. */
async function note(ctx: Ctx, statements: readonly SQL[]): Promise<void> {
  await ctx.database.write(statements).catch((error: unknown) => {
    throw error instanceof Problem && error.code === "unavailable" ? outcomeUnknown() : error;
  });
}
