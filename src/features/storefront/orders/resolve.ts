import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { matchCustomer } from "#features/customers";
import { exactMoney, giveUpPayments, payIntent, selectWaiting } from "#features/gateway-payments";
import { restateTax } from "#features/invoices";
import { atomic, refuseIfNone, refuseWhen } from "#platform/atomic.ts";
import type { Ctx } from "#platform/context.ts";
import { read } from "#platform/operation-memory.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { prospectOf } from "../checkout/shopper.ts";
import { salesOrders } from "../tables.ts";
import { conversionQueries, convertOrder, paidOrder } from "./convert.ts";
import type { ListedOrderParams, ResolveOrder } from "./staff-schema.ts";
import { type ListedOrderRow, selectOrders } from "./staff-snapshot.ts";

type OrderRow = typeof salesOrders.$inferSelect;
type Found = Awaited<ReturnType<typeof look>>;

const INVOICEABLE: ReadonlySet<OrderRow["reviewCode"]> = new Set([
  "tax_amount_implausible",
  "customer_gone",
  "effect_refused",
]);

/**
 * Settles an order that waits for somebody, if it still stands as it was read: the second of two who do is refused.
 * Throws 409 `invalid_status` where the action does not fit it.
 */
export async function resolveOrder(
  ctx: Ctx,
  { id }: ListedOrderParams,
  body: ResolveOrder,
): Promise<ListedOrderRow> {
  requireFitting(body);
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
      "payments.gateway, payments.gateway_payment_id": late,
    },
    noteOf(body),
  );
}

function requireFitting({ action, tax_amount: tax, outside_reference: reference }: ResolveOrder): void {
  if (action !== "invoice" && tax != null)
    throw fieldProblem("tax_amount", "not_accepted", "is taken with the action invoice only");
  if (action !== "dismiss" && reference != null)
    throw fieldProblem("outside_reference", "not_accepted", "is taken with the action dismiss only");
}

/** What the audit log keeps of it: the order itself shows the last reference only. */
function noteOf({ note, outside_reference: reference }: ResolveOrder): string | null {
  const said = [note ?? "", reference == null ? "" : `outside_reference: ${reference}`];
  return said.filter((text) => text !== "").join("\n") || null;
}

async function look(ctx: Ctx, id: number) {
  const [waiting, [order], [buyer], [seller], stocked, [registration]] = await read(ctx, [
    selectWaiting(ctx, "order", String(id)),
    ...conversionQueries(ctx, eq(salesOrders.id, id)),
  ]);
  if (order === undefined || buyer === undefined || seller === undefined) throw new Problem("not_found");
  return { waiting: waiting[0], order, buyer, seller, stocked, registration };
}

/** The order as it was read, in all that decides what may be done to it. */
function stillAs(order: OrderRow, seen: number | null): SQL {
  const { id, status, paymentStatus, reviewCode, needsRefund } = order;
  return sql`SELECT 1 FROM ${salesOrders} WHERE id = ${id} AND status = ${status}
    AND payment_status = ${paymentStatus} AND review_code IS ${reviewCode} AND needs_refund = ${needsRefund}
    AND (${seen} IS NULL OR updated_at = ${seen})`;
}

function statementsOf(ctx: Ctx, found: Found, body: ResolveOrder): SQLWrapper[] {
  if (body.action === "invoice") return invoice(ctx, found, body.tax_amount ?? null);
  if (body.action === "cancel") return cancel(ctx, found);
  return dismiss(ctx, found, body.outside_reference ?? null);
}

/** Makes the invoice that the payment could not make; a customer that is gone is matched anew. */
function invoice(ctx: Ctx, found: Found, taxAmount: number | null): SQLWrapper[] {
  const { waiting, order, buyer, registration } = found;
  const money = exactMoney(waiting, order.outsideReference === null ? 0 : (order.reviewedAt ?? 0));
  const isWaiting = order.paymentStatus === "review" && INVOICEABLE.has(order.reviewCode);
  if (!isWaiting || money === undefined) throw new Problem("invalid_status");
  const { intent, hasOther } = money;
  const { id } = order;
  const isGone = buyer.isLive !== 1;
  const customerId = isGone
    ? sql<number>`(SELECT customer_id FROM ${salesOrders} WHERE id = ${id})`
    : buyer.customer.id;
  const paid = paidOrder(ctx, order, buyer.customer, registration, customerId);
  const taxedBy = (tax: number) => {
    const restated = restateTax(paid, tax);
    return restated && convertOrder(ctx, found, { intent, customerId, paid: restated });
  };
  const converted = taxAmount === null ? (taxedBy(order.taxAmount) ?? taxedBy(0)) : taxedBy(taxAmount);
  if (converted === null) {
    const message = "is that of no rate there is";
    throw fieldProblem("tax_amount", "tax_amount_implausible", message, "tax_amount_implausible");
  }
  const match = matchCustomer(ctx, prospectOf(paid.buyer), "storefront");
  const rematched = [
    ...match.statements,
    sql`UPDATE ${salesOrders} SET customer_id = ${match.id} WHERE id = ${id}`,
  ];
  return [
    ...(isGone ? rematched : []),
    ...(intent.status === "paid" ? [] : payIntent(ctx, intent)),
    ...converted,
    sql`UPDATE ${salesOrders} SET reviewed_at = ${ctx.now},
      needs_refund = max(needs_refund, ${hasOther ? 1 : 0}) WHERE id = ${id}`,
  ];
}

function cancel(ctx: Ctx, { order }: Found): SQLWrapper[] {
  if (order.status !== "draft" || order.paymentStatus !== "unpaid") throw new Problem("invalid_status");
  return [
    sql`UPDATE ${salesOrders} SET status = 'cancelled', reviewed_at = ${ctx.now}, updated_at = ${ctx.now}
      WHERE id = ${order.id} AND status = 'draft' AND payment_status = 'unpaid'`,
    refuseIfNone("invalid_status"),
  ];
}

/** Ends the review. An order whose money was given back outside this service is cancelled, and nothing of it is owed. */
function dismiss(ctx: Ctx, { order }: Found, reference: string | null): SQLWrapper[] {
  const { id, reviewCode, needsRefund } = order;
  if (reviewCode === null && needsRefund === 0) throw new Problem("invalid_status");
  const isWaiting = order.paymentStatus === "review";
  if (reference === null && (isWaiting || reviewCode === null))
    throw fieldProblem("outside_reference", "required", "is required: money is owed back");
  const settled = sql`needs_refund = 0, outside_reference = ${reference},`;
  const ended = sql`status = 'cancelled', payment_status = 'unpaid', overcaptured_amount = 0,`;
  return [
    sql`UPDATE ${salesOrders} SET ${reference === null ? sql`` : settled} ${isWaiting ? ended : sql``}
      review_code = NULL, reviewed_at = ${ctx.now}, updated_at = ${ctx.now} WHERE id = ${id}`,
    ...(isWaiting ? [giveUpPayments("order", String(id))] : []),
  ];
}
