import { and, eq, isNotNull, ne, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx, Ctx, ReadCtx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { settleCaptures } from "#features/captures";
import { matchCustomer } from "#features/customers";
import {
  advancesIn,
  capturesOf,
  exactMoney,
  giveUpPayments,
  payIntent,
  selectWaiting,
} from "#features/gateway-payments";
import { hasCreditNotes, restateTax } from "#features/invoices";
import { planOrderResolution, refundRuns, sendRefunds } from "#features/refunds";
import type { RecordParams } from "#shared/fields/ids.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { gatewayCaptures } from "#tables/captures";
import { salesOrders } from "#tables/storefront";
import { prospectOf } from "../checkout/shopper.ts";
import { invoicePaidOrder, orderToInvoiceQueries, paidOrder } from "./invoice-paid-order.ts";
import { isOpen } from "./order-of-payment.ts";
import { type ListedOrderRow, selectOrders } from "./record.ts";
import type { ResolveOrder } from "./staff-schema.ts";

type OrderRow = typeof salesOrders.$inferSelect;
type Found = Awaited<ReturnType<typeof look>>;

/** The reasons of a review that an invoice ends. */
export const INVOICEABLE: ReadonlySet<OrderRow["reviewCode"]> = new Set([
  "tax_amount_implausible",
  "customer_gone",
  "effect_refused",
]);

/** The one action that each of these members is taken with. */
const TAKEN_WITH = [
  ["restock", "refund"],
  ["tax_amount", "invoice"],
  ["payment_mode_id", "dismiss"],
  ["outside_reference", "dismiss"],
] as const;

const UNUSED_CREDIT =
  "Its credit notes have unused credit: record what was paid back of it with POST /credit-notes/{company}/{id}/payouts first";

/**
 * Resolves an order that waits for review, if it is unchanged since it was read: the second of two calls is refused.
 * Throws 409 `invalid_status` where the action does not fit it.
 */
export async function resolveOrder(
  ctx: Ctx,
  { id }: RecordParams,
  body: ResolveOrder,
): Promise<ListedOrderRow> {
  requireFitting(body);
  if (body.action === "refund") return refundOrder(ctx, id, body);
  const found = await look(ctx, id);
  const { order } = found;
  const seen = body.if_updated_at ?? null;
  if (seen !== null && seen !== order.updatedAt) throw new Problem("version_conflict");
  const late = () => new Problem(seen === null ? "invalid_status" : "version_conflict");
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (${stillAs(order, seen)})`, "invalid_status"),
      ...statementsOf(ctx, found, body),
    ],
    selectOrders(eq(salesOrders.id, id)),
    {
      invalid_status: late,
      // An event of its payment came first.
      intent_moved: late,
      "payment_intents.gateway, payment_intents.gateway_payment_id": late,
      capture_exceeded: late,
      has_credit_notes: () => hasCreditNotes(ctx, sql`${order.invoiceId}`, UNUSED_CREDIT),
      "advances.credit_account_id": () =>
        fieldProblem("payment_mode_id", "not_found", "names no payment mode"),
    },
    noteOf(body),
  );
}

/** Gives back what is due of an order, or all of it, and ends its review; the order is answered as its gateway leaves it. */
async function refundOrder(ctx: Ctx, id: number, body: ResolveOrder): Promise<ListedOrderRow> {
  requireScope(ctx, "refunds:write");
  const plan = await planOrderResolution(ctx, id, {
    seen: body.if_updated_at ?? null,
    restock: body.restock === true,
  });
  const select = selectOrders(eq(salesOrders.id, id));
  const reviewed = ctx.db
    .update(salesOrders)
    .set({ reviewCode: null, reviewedAt: ctx.now, updatedAt: ctx.now })
    .where(
      and(eq(salesOrders.id, id), isNotNull(salesOrders.reviewCode), ne(salesOrders.paymentStatus, "review")),
    );
  await sendRefunds(ctx, { ...plan, statements: [...plan.statements, reviewed] }, select, body.note ?? null);
  const [rows] = await ctx.database.read([jsonQuery(ctx, select)]);
  const [order] = parseRows(rows);
  if (order === undefined) throw new Problem("not_found");
  return order;
}

function requireFitting(body: ResolveOrder): void {
  for (const [field, action] of TAKEN_WITH)
    if (body.action !== action && (body[field] ?? false) !== false)
      throw fieldProblem(field, "not_accepted", `is taken with the action ${action} only`);
}

/** What the audit log keeps of it: the order itself shows the last reference only. */
function noteOf({ note, outside_reference: reference }: ResolveOrder): string | null {
  const said = [note ?? "", reference == null ? "" : `outside_reference: ${reference}`];
  return said.filter((text) => text !== "").join("\n") || null;
}

async function look(ctx: CallCtx, id: number) {
  const [waiting, [order], [matched], [seller], stocked, [registration]] = await read(ctx, [
    selectWaiting(ctx, "order", String(id)),
    ...orderToInvoiceQueries(eq(salesOrders.id, id)),
  ]);
  if (order === undefined || matched === undefined || seller === undefined) throw new Problem("not_found");
  return { waiting: waiting[0], order, matched, seller, stocked, registration };
}

/** The order as it was read, in all that decides what may be done to it. */
function stillAs(order: OrderRow, seen: number | null): SQL {
  const { id, status, paymentStatus, reviewCode, needsRefund } = order;
  return sql`SELECT 1 FROM ${salesOrders} WHERE ${salesOrders.id} = ${id} AND ${salesOrders.status} = ${status}
    AND ${salesOrders.paymentStatus} = ${paymentStatus} AND ${salesOrders.reviewCode} IS ${reviewCode}
    AND ${salesOrders.needsRefund} = ${needsRefund} AND (${seen} IS NULL OR ${salesOrders.updatedAt} = ${seen})`;
}

function statementsOf(ctx: Ctx, found: Found, body: ResolveOrder): SQLWrapper[] {
  if (body.action === "invoice") return invoice(ctx, found, body.tax_amount ?? null);
  if (body.action === "cancel") return cancel(ctx, found);
  return dismiss(ctx, found, body);
}

/** Makes the invoice that the payment could not make; a deleted customer is matched again. */
function invoice(ctx: Ctx, found: Found, taxAmount: number | null): SQLWrapper[] {
  const { waiting, order, matched, registration } = found;
  const money = exactMoney(waiting);
  const isWaiting = order.paymentStatus === "review" && INVOICEABLE.has(order.reviewCode);
  if (!isWaiting || money === undefined) throw new Problem("invalid_status");
  const { intent, hasOther } = money;
  const { id } = order;
  const isGone = matched.isLive !== 1;
  const customerId = isGone
    ? sql<number>`(SELECT ${salesOrders.customerId} FROM ${salesOrders} WHERE ${salesOrders.id} = ${id})`
    : matched.customer.id;
  const paid = paidOrder(ctx, order, registration, customerId);
  const taxedBy = (tax: number) => {
    const restated = restateTax(paid, tax);
    return restated && invoicePaidOrder(ctx, found, { intent, customerId, paid: restated });
  };
  const invoiced = taxAmount === null ? (taxedBy(order.taxAmount) ?? taxedBy(0)) : taxedBy(taxAmount);
  if (invoiced === null) {
    const message = "is that of no rate there is";
    throw fieldProblem("tax_amount", "tax_amount_implausible", message, "tax_amount_implausible");
  }
  const match = matchCustomer(ctx, prospectOf(paid.buyer), "storefront");
  const rematched = [
    ...match.statements,
    ctx.db.update(salesOrders).set({ customerId: match.id }).where(eq(salesOrders.id, id)),
  ];
  return [
    ...(isGone ? rematched : []),
    ...(intent.status === "paid" ? [] : payIntent(ctx, intent)),
    ...invoiced,
    ctx.db
      .update(salesOrders)
      .set({ reviewedAt: ctx.now, ...(hasOther ? { needsRefund: 1 } : {}) })
      .where(eq(salesOrders.id, id)),
  ];
}

function cancel(ctx: ReadCtx, { order }: Found): SQLWrapper[] {
  if (order.status !== "draft" || order.paymentStatus !== "unpaid") throw new Problem("invalid_status");
  return [
    ctx.db
      .update(salesOrders)
      .set({ status: "cancelled", reviewedAt: ctx.now, updatedAt: ctx.now })
      .where(and(eq(salesOrders.id, order.id), isOpen)),
    refuseIfNone("invalid_status"),
  ];
}

/**
 * Ends the review. An order whose money was given back outside this service is cancelled, and nothing of it is owed: its
 * advances are settled, each with an entry.
 */
function dismiss(ctx: CallCtx, { order, waiting }: Found, body: ResolveOrder): SQLWrapper[] {
  const { outside_reference: reference = null, payment_mode_id: mode = null } = body;
  const { id, reviewCode, needsRefund } = order;
  if (reviewCode === null && needsRefund === 0) throw new Problem("invalid_status");
  const isWaiting = order.paymentStatus === "review";
  if (reference === null && (isWaiting || reviewCode === null))
    throw fieldProblem("outside_reference", "required", "is required: money is owed back");
  const settled = { needsRefund: 0, outsideReference: reference };
  const ended = { status: "cancelled", paymentStatus: "unpaid", overcapturedAmount: 0 } as const;
  return [
    ctx.db
      .update(salesOrders)
      .set({
        ...(reference === null ? {} : settled),
        ...(isWaiting ? ended : {}),
        reviewCode: null,
        reviewedAt: ctx.now,
        updatedAt: ctx.now,
      })
      .where(eq(salesOrders.id, id)),
    ...(isWaiting ? [giveUpPayments("order", String(id))] : []),
    ...(reference === null
      ? []
      : [
          refuseWhen(refundRuns("order", String(id)), "refund_in_progress"),
          ...settle(ctx, String(id), waiting, { mode, reference }),
        ]),
  ];
}

/** Settles all that waits of an order, if it is what was read. */
function settle(
  ctx: CallCtx,
  id: string,
  waiting: Found["waiting"],
  by: { mode: number | null; reference: string },
): SQLWrapper[] {
  const captures = capturesOf("order", id);
  const { advanceAmount } = gatewayCaptures;
  const sum = sql`(SELECT coalesce(sum(${advanceAmount}), 0) FROM ${gatewayCaptures} WHERE ${captures})`;
  return [
    refuseWhen(sql`${sum} <> ${advancesIn(waiting)}`, "invalid_status"),
    ...settleCaptures(ctx, captures, by),
  ];
}
