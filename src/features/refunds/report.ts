import { and, eq, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { AnotherBatch, atomic, isOvertaken, refuseWhen } from "#core/write/atomic.ts";
import { type CaptureRow, reopenCaptures } from "#features/captures";
import type { RefundEvent } from "#features/gateway-payments";
import type { RefundReport } from "#providers/payment";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { gatewayCaptures } from "#tables/captures";
import { creditNotes } from "#tables/credit-notes";
import { payments } from "#tables/payments";
import { gatewayRefundEvents, gatewayRefunds } from "#tables/refunds";
import type { StoredRefund } from "./held.ts";
import { columnsOf, idOf, moveRefund, postRefund, type Said } from "./settle.ts";
import { endStray, storeReport } from "./store-report.ts";
import { backOf, takenOf, waitingOf } from "./waiting.ts";

const ATTEMPTS = 4;
const MOST_CODE = 200;

// The newest payment that takes its money, own ones first. The builder leaves out the names of tables, so the outer one is
// written out.
const live = sql`${payments.deletedAt} IS NULL ORDER BY ${payments.id} DESC LIMIT 1`;
const invoiced = sql`coalesce((SELECT ${payments.customerId} FROM ${payments} WHERE ${payments.gateway} = gateway_captures.gateway
    AND ${payments.gatewayPaymentId} = gateway_captures.gateway_payment_id AND ${live}),
  (SELECT ${payments.customerId} FROM asked_siblings AS borrower JOIN ${payments} USING (gateway, gateway_payment_id)
    WHERE of_capture_id = gateway_captures.id AND borrower.lent_amount < 0 AND gateway_captures.lent_amount > 0 AND ${live}))`;

/** The stored report that is applied once more, now that its payment is known. */
type Stored = { storedAs?: number };

const own = alias(gatewayCaptures, "own");
const every = alias(creditNotes, "every");
type Found = {
  seen: boolean;
  byId: StoredRefund | undefined;
  byKey: StoredRefund | undefined;
  /** The gateway's id of the payment that it gives back. */
  payment: string | undefined;
  capture: CaptureRow | undefined;
  /** What went back of the capture, or is on its way. */
  back: number;
  /** Whose invoice its money pays, else who paid. */
  customerId: number | null;
  /** What waits of the capture and its siblings, as JSON. */
  waiting: string;
};
/** What a report says, in the words of a refund. */
export function saidIn({ kind, state, failureCode, gatewayRefundId }: RefundReport): Said {
  if (kind === "chargeback_reversed")
    return { status: "failed", gatewayRefundId, failureCode: "chargeback_reversed" };
  if (state !== "failed") return { status: state, gatewayRefundId };
  return { status: "failed", gatewayRefundId, failureCode: (failureCode ?? "failed").slice(0, MOST_CODE) };
}

/** Whether a report is of a refund that the service sent, by its key. */
export function carriesKeyOf(
  report: RefundReport,
  { key, amount, currency }: Pick<StoredRefund, "key" | "amount" | "currency">,
): boolean {
  return report.key === key && report.amount === amount && report.currency === currency;
}

/**
 * Records what a gateway reports of a refund: of one that the service sent or knows, what became of it; any other is a
 * refund that the gateway made, where its payment brought so much. Nothing is refused. Returns true for one stored before.
 */
export async function applyRefundReport(ctx: Ctx, event: RefundEvent & Stored): Promise<boolean> {
  const moved = () => new AnotherBatch();
  for (let attempt = 1; ; attempt += 1) {
    const found = await findRefund(ctx, event);
    if (found.seen) return true;
    const { refundId, statements } = effectOf(ctx, event, found);
    if (event.storedAs !== undefined && refundId === null) return true;
    try {
      await atomic(
        ctx,
        [
          ...statements,
          event.storedAs === undefined
            ? storeReport(ctx, event, refundId)
            : endStray(ctx, event.storedAs, refundId),
        ],
        sql<unknown>`SELECT json_object('id', ${event.eventId})`,
        {
          refund_moved: moved,
          "gateway_refunds.gateway, gateway_refunds.gateway_refund_id": moved,
          "gateway_refund_events.gateway, gateway_refund_events.event_id": moved,
        },
      );
      // What its money left no room for has room now, and the end of a chargeback may have come before it.
      if (saidIn(event.report).status === "failed" || event.report.kind === "chargeback")
        await ctx.enqueue([{ kind: "refunds" }]);
      return false;
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      if (attempt === ATTEMPTS) throw retryLater("unavailable", MINUTE_MS);
    }
  }
}

async function findRefund(
  ctx: ReadCtx,
  { gateway, accountIds, eventId, report, storedAs }: RefundEvent & Stored,
): Promise<Found> {
  const { gatewayRefundId, gatewayPaymentId, key } = report;
  // An account says nothing of money that another one took.
  const theirs = sql`${gatewayCaptures.gateway} = ${gateway} AND ${inArray(gatewayCaptures.gatewayAccountId, [...accountIds])}`;
  const refund = (where: SQL | undefined) =>
    ctx.db
      .select({ refund: gatewayRefunds, payment: gatewayCaptures.gatewayPaymentId })
      .from(gatewayRefunds)
      .innerJoin(gatewayCaptures, eq(gatewayCaptures.id, gatewayRefunds.captureId))
      .where(and(where, theirs));
  const [events, byId, byKey, captures] = await ctx.database.read([
    ctx.db
      .select({ type: gatewayRefundEvents.type })
      .from(gatewayRefundEvents)
      .where(
        sql`${gatewayRefundEvents.gateway} = ${gateway} AND ${gatewayRefundEvents.eventId} = ${eventId}
          AND (${gatewayRefundEvents.id} IS NOT ${storedAs ?? null} OR ${gatewayRefundEvents.refundId} IS NOT NULL)`,
      ),
    refund(and(eq(gatewayRefunds.gateway, gateway), eq(gatewayRefunds.gatewayRefundId, gatewayRefundId))),
    refund(sql`${gatewayRefunds.key} = ${key}`),
    ctx.db
      .select({
        capture: gatewayCaptures,
        back: backOf(sql`gateway_captures.id`),
        customerId: sql<number | null>`coalesce(${invoiced}, ${gatewayCaptures.customerId})`,
        waiting: waitingOf(sql`(SELECT ${own.id} FROM ${gatewayCaptures} AS ${own}
          WHERE ${own.gateway} = ${gateway} AND ${own.gatewayPaymentId} = ${gatewayPaymentId})`),
      })
      .from(gatewayCaptures)
      .where(sql`${theirs} AND ${gatewayCaptures.gatewayPaymentId} = ${gatewayPaymentId}`),
  ]);
  return {
    seen: events.length > 0,
    byId: byId[0]?.refund,
    byKey: byKey[0]?.refund,
    payment: (byId[0] ?? byKey[0])?.payment,
    capture: captures[0]?.capture,
    back: captures[0]?.back ?? 0,
    customerId: captures[0]?.customerId ?? null,
    waiting: captures[0]?.waiting ?? "[]",
  };
}

type Effect = { refundId: SQL | null; statements: SQLWrapper[] };
const NONE: Effect = { refundId: null, statements: [] };

function effectOf(
  ctx: Ctx,
  { gateway, report }: RefundEvent,
  { byId, byKey, payment, capture, back, customerId, waiting }: Found,
): Effect {
  const said = saidIn(report);
  // Another payment, amount or currency than is known of it changes nothing: it stays open in the self-check.
  const isOfAnother = payment !== undefined && (report.gatewayPaymentId ?? payment) !== payment;
  if (isOfAnother || (byId !== undefined && !isAsKnown(report, byId))) return NONE;
  const refund = byId ?? (byKey !== undefined && isStillOf(report, byKey) ? byKey : undefined);
  if (refund !== undefined) return { refundId: idOf(refund.key), statements: moveRefund(ctx, refund, said) };
  const isOfCapture = capture !== undefined && capture.currency === report.currency && report.amount > 0;
  if (!isOfCapture || report.kind === "chargeback_reversed") return NONE;
  // One loss can be reported twice, as a refund and as a dispute: a person decides.
  if (report.state !== "failed" && back + report.amount > capture.amount) return NONE;
  return reported(ctx, gateway, report, said, { capture, back, customerId, waiting });
}

function isAsKnown(report: RefundReport, { amount, currency }: StoredRefund): boolean {
  return report.amount === amount && report.currency === currency;
}

/** Whether a refund that has a report's key takes the report: what was given up here is another refund, if it was made after all. */
function isStillOf(report: RefundReport, seen: StoredRefund): boolean {
  if (!carriesKeyOf(report, seen)) return false;
  return seen.gatewayRefundId === null && (seen.status !== "failed" || report.state === "failed");
}

type Taken = Pick<Found, "back" | "customerId" | "waiting"> & { capture: CaptureRow };

/**
 * A refund that the gateway made: first of what waits of its capture and its siblings, as far as the capture was neither
 * settled nor withdrawn, then of invoiced money.
 */
function reported(
  ctx: Ctx,
  gateway: RefundEvent["gateway"],
  report: RefundReport,
  said: Said,
  { capture, back, customerId, waiting }: Taken,
): Effect {
  const isFailed = said.status === "failed";
  const taken = isFailed ? { amount: 0, reopened: [] } : takenOf(report.amount, capture, waiting);
  const row = {
    operation: ctx.call.id,
    key: `rf-${ctx.newId()}`,
    gateway,
    captureId: capture.id,
    customerId,
    creditNoteId: null,
    source: report.kind === "refund" ? ("gateway" as const) : ("chargeback" as const),
    amount: report.amount,
    advanceAmount: taken.amount,
    currency: report.currency,
    attempts: 0,
    createdAt: ctx.now,
    ...columnsOf(ctx, said),
  };
  return {
    refundId: idOf(row.key),
    statements: [
      refuseWhen(
        sql`(${waitingOf(sql`${capture.id}`)}, ${backOf(sql`${capture.id}`)}) <> (${waiting}, ${back})`,
        "refund_moved",
      ),
      ...reopenCaptures(ctx, taken.reopened),
      ctx.db.insert(gatewayRefunds).values({ ...row, creditNoteId: isFailed ? null : noteFor(row) }),
      ...(said.status === "succeeded" ? postRefund(ctx, row) : []),
    ],
  };
}

/**
 * The note that was issued for the invoice before, whose paper it is then: one with credit enough, else the largest, where
 * those of the invoice have enough together.
 */
function noteFor({
  captureId,
  amount,
  advanceAmount,
}: Pick<StoredRefund, "captureId" | "amount" | "advanceAmount">): SQL<number | null> {
  const owed = amount - advanceAmount;
  if (owed === 0) return sql`NULL`;
  const { id, invoiceId, status, unappliedAmount } = creditNotes;
  return sql`(SELECT ${id} FROM captures_of_payments AS paid JOIN ${creditNotes} ON ${invoiceId} = paid.invoice_id
    WHERE paid.capture_id = ${captureId} AND ${status} = 'issued' AND ${unappliedAmount} > 0 AND ${owed} <= (
      SELECT sum(${every.unappliedAmount}) FROM ${creditNotes} AS ${every} WHERE ${every.invoiceId} = paid.invoice_id)
    ORDER BY ${unappliedAmount} < ${owed}, abs(${unappliedAmount} - ${owed}), ${id} LIMIT 1)`;
}
