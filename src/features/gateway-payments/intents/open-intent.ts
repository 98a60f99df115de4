import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx, EncryptionCtx, OutsideCtx, ReadCtx, WriteCtx } from "#core/context.ts";
import { logFault } from "#core/log.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { columnsBut } from "#core/sql/columns.ts";
import { insertRow } from "#core/sql/json-rows.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { refuseWhen, systemWrite } from "#core/write/atomic.ts";
import { withoutEvents } from "#core/write/events.ts";
import { asOutcomeUnknown } from "#core/write/replay.ts";
import { GATEWAYS, GatewayError, type OpenedPayment, type Payable } from "#providers/payment";
import { Problem } from "#shared/problem.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { paymentIntents } from "#tables/gateway-payments";
import type { AccountRow } from "../gateways/accounts.ts";
import { openAccount } from "../gateways/secret-kinds.ts";

const FIRST_LOOK_MS = 15 * MINUTE_MS;
// A page of PayPal's ends after three hours.
const REUSABLE_MS = HOUR_MS;
/** So many young payments of a booking are open at once, whatever addresses their pages lead back to. */
const MOST_OPEN = 3;

const insert = insertRow(
  paymentIntents,
  columnsBut(paymentIntents, ["id", "refId", "status", "gatewayPaymentId", "paidAt"]),
);

/** An open payment; `returnsTo` where its gateway said so. */
export type UsablePayment = { intent: IntentRow; account: AccountRow; returnsTo: string | null };

export type IntentRow = typeof paymentIntents.$inferSelect;

/** A payment that a gateway has been asked to take, and what its payer needs to make it. */
export type Opened = OpenedPayment & { gateway: AccountRow["kind"] };

/**
 * What is to be paid, in minor units: the price of an order or a booking, or what is due of an invoice, and where its payer comes back to. `number` is that
 * of what is stored already.
 */
export type PaymentRequest = Pick<
  Payable,
  "kind" | "currency" | "returnUrl" | "cancelUrl" | "customer" | "description"
> & { amountMinor: number; number?: string };

/** Whether it is a payment of this record that waits for its payer. */
export function isOpenOf(kind: IntentRow["kind"], refId: SQL<string> | string): SQL | undefined {
  const { kind: kinds, refId: refIds, status } = paymentIntents;
  return and(eq(kinds, kind), eq(refIds, refId), eq(status, "created"));
}

/** The statement that stores a payment, opened or to be opened; one for each call of an operation. */
export function insertIntent(
  ctx: CallCtx,
  account: Pick<AccountRow, "id" | "kind">,
  intent: {
    kind: IntentRow["kind"];
    refId: SQL<string> | string;
    amountMinor: number;
    currency: string;
    gatewayOrderId?: string;
    paymentUrl?: string | null;
  },
): SQL {
  const row = {
    operation: ctx.call.id,
    kind: intent.kind,
    gateway: account.kind,
    gatewayAccountId: account.id,
    gatewayOrderId: intent.gatewayOrderId ?? null,
    paymentUrl: intent.paymentUrl ?? null,
    amount: intent.amountMinor,
    currency: intent.currency,
    nextPollAt: ctx.now + FIRST_LOOK_MS,
    createdAt: ctx.now,
  };
  return sql`${insert(row, { refId: sql`${intent.refId}` })} ON CONFLICT (operation) DO NOTHING`;
}

/** Aborts the batch of a further payment, by `intent_moved`, where enough of the same are young and open, or being opened. */
export function refuseManyOpen(
  ctx: ReadCtx,
  account: Pick<AccountRow, "id">,
  { kind, refId, amountMinor }: { kind: IntentRow["kind"]; refId: string; amountMinor: number },
): SQL {
  const { gatewayAccountId, gatewayOrderId, amount, createdAt, status } = paymentIntents;
  const open = sql`(SELECT count(*) FROM ${paymentIntents} WHERE ${paymentIntents.kind} = ${kind}
    AND ${paymentIntents.refId} = ${refId} AND ${status} = 'created' AND ${amount} = ${amountMinor}
    AND ${gatewayAccountId} = ${account.id} AND ${createdAt} > ${ctx.now - REUSABLE_MS}
    AND (${gatewayOrderId} IS NOT NULL OR ${createdAt} > ${ctx.now - MINUTE_MS}))`;
  return refuseWhen(sql`${open} >= ${MOST_OPEN}`, "intent_moved");
}

/** The statement that gives an intent up, where it is still open. */
export function failIntent(ctx: ReadCtx, id: number): SQLWrapper {
  return ctx.db
    .update(paymentIntents)
    .set({ status: "failed" })
    .where(and(eq(paymentIntents.id, id), eq(paymentIntents.status, "created")));
}

/** The statements that store a payment in place of those that are open. */
export function replaceIntents(
  ctx: CallCtx,
  open: readonly { intent: IntentRow }[],
  ...opened: [account: Pick<AccountRow, "id" | "kind">, intent: Parameters<typeof insertIntent>[2]]
): SQLWrapper[] {
  return [...open.map(({ intent }) => failIntent(ctx, intent.id)), insertIntent(ctx, ...opened)];
}

/** Ends at their gateways the payments that another took the place of. One that cannot be ended is logged, and ends by itself. */
export async function cancelAtGateway(
  ctx: EncryptionCtx & OutsideCtx,
  replaced: readonly { intent: IntentRow; account: AccountRow }[],
): Promise<void> {
  await Promise.all(
    replaced.map(async ({ intent: { gatewayOrderId: id }, account }) => {
      try {
        if (id !== null) await GATEWAYS[account.kind].cancel?.(await openAccount(ctx, account), id);
      } catch (error) {
        logFault("gateway", error, account.kind);
      }
    }),
  );
}

/** The id of the intent that this call opened. */
export function intentOf(ctx: CallCtx): SQL<number> {
  return sql<number>`(SELECT ${paymentIntents.id} FROM ${paymentIntents} WHERE ${paymentIntents.operation} = ${ctx.call.id})`;
}

const keepOrder = keptStatement(
  ({ id, order, url }: Given<{ id: number; order: string; url: string | null }>) =>
    sql`UPDATE ${paymentIntents} SET gateway_order_id = ${order}, payment_url = ${url}
      WHERE ${paymentIntents.id} = ${id} AND ${paymentIntents.status} <> 'paid'`,
);

/** What is to be written together with what became of a payment at its gateway. */
export type Together = {
  failed?: readonly SQLWrapper[];
  /** These leave no events. */
  opened?: (payment: Opened) => readonly SQLWrapper[];
};

/**
 * Asks the gateway for a payment, under the name that the intent of this call has. Stores nothing. Throws 400
 * `payment_gateway_error` when the gateway does not open it, once `failed` was done.
 */
export async function openAtGateway(
  ctx: CallCtx & EncryptionCtx & OutsideCtx & Pick<WriteCtx, "requestId">,
  row: AccountRow,
  request: PaymentRequest,
  failed: () => Promise<unknown> = async () => undefined,
): Promise<Opened> {
  const payable = await payableOf(ctx, request);
  const gateway = GATEWAYS[row.kind];
  try {
    const account = await openAccount(ctx, row);
    const order = await gateway.open(account, payable);
    return { ...order, paymentData: gateway.paymentData(account, payable, order), gateway: row.kind };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    logFault("gateway", error, row.kind);
    await failed();
    throw new Problem("payment_gateway_error");
  }
}

async function payableOf(
  { call: { id: reference }, company: { slug: company, name: companyName } }: CallCtx,
  { amountMinor: amount, number, ...request }: PaymentRequest,
): Promise<Payable> {
  const returnsTo = await sha256Hex(`${request.returnUrl} ${request.cancelUrl}`);
  return { ...request, returnsTo, amount, reference, receipt: number ?? reference, company, companyName };
}

/**
 * The young one among payments that can still be made at the gateway, as its payer was led to it before. Undefined where
 * none is of this account and amount, or its page leads back elsewhere while few are open; else it is the newest.
 */
export async function openedBefore(
  ctx: CallCtx & EncryptionCtx & OutsideCtx,
  row: AccountRow,
  usable: readonly UsablePayment[],
  request: PaymentRequest,
): Promise<Opened | undefined> {
  const { kind: gateway } = row;
  const payable = await payableOf(ctx, request);
  const fitting = usable.filter(
    ({ intent }) =>
      intent.gatewayAccountId === row.id &&
      intent.amount === payable.amount &&
      intent.currency === payable.currency &&
      ctx.now - intent.createdAt < REUSABLE_MS &&
      // The release before kept no page of a booking's payment.
      (intent.paymentUrl !== null || gateway === "razorpay"),
  );
  const found =
    fitting.find(({ returnsTo }) => (returnsTo ?? payable.returnsTo) === payable.returnsTo) ??
    (fitting.length < MOST_OPEN ? undefined : fitting[0]);
  const { gatewayOrderId, paymentUrl = null } = found?.intent ?? {};
  if (gatewayOrderId == null) return undefined;
  const order = { gatewayOrderId, paymentUrl };
  const account = await openAccount(ctx, row);
  return { ...order, paymentData: GATEWAYS[gateway].paymentData(account, payable, order), gateway };
}

/**
 * Asks the gateway for the payment of an intent that is stored, and stores the gateway's id of it. Throws 400
 * `payment_gateway_error` when the gateway does not open it; the intent has then failed.
 */
export async function openIntent(
  ctx: WriteCtx & EncryptionCtx & OutsideCtx,
  row: AccountRow,
  intentId: number,
  request: PaymentRequest,
  { failed = [], opened = () => [] }: Together,
): Promise<Opened> {
  const payment = await openAtGateway(ctx, row, request, () =>
    systemWrite(ctx, [failIntent(ctx, intentId), ...failed]).catch(asOutcomeUnknown),
  );
  // The booking is stored by now.
  await systemWrite(withoutEvents(ctx), [
    keepOrder({ id: intentId, order: payment.gatewayOrderId, url: payment.paymentUrl }),
    ...opened(payment),
  ]).catch(asOutcomeUnknown);
  return payment;
}
