import { type Column, is, SQL, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { CallCtx } from "#core/context.ts";
import { columnList } from "#core/sql/column-list.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { ONE_BY_ONE, postDocuments } from "#features/ledger";
import { ACCOUNTS } from "#shared/payments/books.ts";
import { lessonReceipts } from "#tables/bookings";
import { advances, gatewayCaptures } from "#tables/captures";
import { payments } from "#tables/payments";
import { clearing, debtorOf, keyed } from "./accounts.ts";

type Kind = (typeof advances.$inferSelect)["kind"];
type Columns = {
  operation: string;
  date: string | SQL<string>;
  now: number;
  kind: Kind;
  amount: number | SQL<number>;
  debit: SQL;
  credit: SQL;
  reference: string | null;
  captures: SQL;
};

/** What an advance is inserted with. */
export const advanceColumns = columnList(advances, [
  "operation",
  "captureId",
  "kind",
  "amount",
  "entryDate",
  "debitAccountId",
  "creditAccountId",
  "reference",
  "createdAt",
]);
const insert = keptStatement(
  (given: Given<Columns>) => sql`INSERT INTO ${advances} (${advanceColumns()})
    SELECT ${given.operation}, ${gatewayCaptures.id}, ${given.kind}, ${given.amount}, ${given.date}, ${given.debit},
      ${given.credit}, ${given.reference}, ${given.now} FROM ${gatewayCaptures} WHERE ${given.captures}`,
);
/**
 * What gateways gave back by themselves of captures of one order, booking or invoice, without a credit note: the oldest
 * first, as far as money of these waits, and no more of a capture than was neither settled nor withdrawn of it.
 */
const insertCovered = keptStatement(
  (given: Given<Pick<Columns, "operation" | "date" | "now" | "debit" | "captures">>) => {
    const { id, amount, settledAmount, withdrawnAmount, currency } = gatewayCaptures;
    return sql`INSERT INTO ${advances} (${advanceColumns()}, refund_id)
    SELECT ${given.operation}, refund.capture_id, 'covered', covered, ${given.date}, ${given.debit}, credit, NULL, ${given.now}, refund.id
    FROM (SELECT refund.id, refund.capture_id, iif(refund.customer_id IS NULL, ${clearing}, ${debtorOf(sql`refund.customer_id`)}) AS credit,
        min(owed, ${amount} - ${settledAmount} - ${withdrawnAmount} + owed - sum(owed) OVER (PARTITION BY refund.capture_id ORDER BY refund.id),
          (SELECT sum(sibling.advance_amount) FROM capture_siblings AS sibling WHERE of_capture_id = ${id} AND sibling.currency = ${currency})
          + owed - sum(owed) OVER (PARTITION BY ${currency} ORDER BY refund.id)) AS covered
      FROM ${gatewayCaptures} JOIN uncovered_refunds AS refund ON refund.capture_id = ${id} WHERE ${given.captures}) refund
    WHERE covered > 0 AND credit IS NOT NULL`;
  },
);
const documents = keptStatement(
  ({
    operation,
  }: Given<{
    operation: string;
  }>) => sql`SELECT source_id AS id, currency, narration, customer_id, entry_date, lines
    FROM postings_of_advances WHERE operation = ${operation}`,
);

/** Money that goes into Customer Advances, or out of it, for each of the captures that a condition finds. */
export type Movement = {
  captures: SQL;
  kind: Kind;
  amount: number | SQL<number>;
  debit: SQL;
  credit: SQL;
  reference?: string | null;
  /** Default: today. */
  date?: SQL<string>;
};

/** Captures of which waiting money bears what gateways gave back by themselves. */
type Cover = { covers: SQL };

/** What waits of captures of one order, booking or invoice bears what gateways gave back of these by themselves. */
export const covered = (captures: SQL): Cover => ({
  covers: sql`${gatewayCaptures.id} IN (SELECT sibling.id FROM ${gatewayCaptures}
    JOIN capture_siblings AS sibling ON of_capture_id = ${gatewayCaptures.id} WHERE ${captures})`,
});

/** The statements by which waiting money bears what gateways gave back by themselves of a capture and its siblings. */
export function coverRefunds(ctx: CallCtx, captureId: number, afterReversal: boolean): SQL[] {
  return moveAdvances(ctx, [covered(sql`${gatewayCaptures.id} = ${captureId}`)], afterReversal);
}

/** The statements that store movements, and post them all. A call has one such list, before or after its `reverseEntries`. */
export function moveAdvances(
  ctx: CallCtx,
  movements: readonly (Movement | Cover | SQL)[],
  afterReversal = false,
  date = companyToday(ctx),
): SQL[] {
  if (movements.length === 0) return [];
  const operation = ctx.call.id;
  return [
    ...movements.map((movement) => {
      if (is(movement, SQL)) return movement;
      const own = { operation, date, now: ctx.now };
      return "covers" in movement
        ? insertCovered({
            ...own,
            captures: movement.covers,
            debit: keyed({ key: ACCOUNTS.customerAdvances }),
          })
        : insert({ reference: null, ...own, ...movement });
    }),
    ...postDocuments(ctx, {
      ...{ sourceType: "advance", voucherType: "advance", ordinal: ONE_BY_ONE },
      date: afterReversal ? sql<string>`document.entry_date` : date,
      documents: documents({ operation }),
    }),
  ];
}

/** Money that a gateway took for nothing that is invoiced yet. */
export function received(captures: SQL, amount: number | SQL<number>): Movement {
  return {
    captures,
    kind: "received",
    amount,
    debit: clearing,
    credit: keyed({ key: ACCOUNTS.customerAdvances }),
  };
}

/** What a payer paid for the gateway's fee, above the price. */
export function feePaid(captures: SQL, amount: number): Movement {
  return { captures, kind: "fee", amount, debit: clearing, credit: keyed({ key: ACCOUNTS.gatewayCharges }) };
}

/**
 * The statements after those that remove payments and reverse their entries. A reversal takes money of a gateway out of
 * its clearing account, but the money is still there: it becomes an advance of that day. What was paid out of an advance
 * is one again by its reversal.
 */
export function advanceRemoved(ctx: CallCtx, day: string): SQL[] {
  return moveAdvances(ctx, [removedPayment(ctx, day)], true);
}

/** The movement of money of a gateway whose payments a call removed. */
export function removedPayment(ctx: CallCtx, day = companyToday(ctx)): Movement {
  const { here, movement } = endedBy(ctx, payments, payments.removedBy);
  return { ...movement, date: sql<string>`(SELECT max(${day}, ${payments.paymentDate}) ${here})` };
}

/** The same after those that end receipts and reverse their entries. */
export function advanceEnded(ctx: CallCtx): SQL[] {
  return moveAdvances(ctx, [endedReceipt(ctx)], true);
}

/** The same of receipts that a call ended. */
export function endedReceipt(ctx: CallCtx): Movement {
  return endedBy(ctx, lessonReceipts, lessonReceipts.endedBy).movement;
}

/** The money of documents that a call ended, and the document of a capture. */
function endedBy(ctx: CallCtx, table: typeof payments | typeof lessonReceipts, by: Column) {
  const { gateway, gatewayPaymentId, isAdvance, amount } = table;
  const ended = sql`FROM ${table} WHERE ${by} = ${ctx.call.id} AND ${isAdvance} = 0`;
  const here = sql`${ended} AND ${gateway} = ${gatewayCaptures.gateway} AND ${gatewayPaymentId} = ${gatewayCaptures.gatewayPaymentId}`;
  const captures = sql`(${gatewayCaptures.gateway}, ${gatewayCaptures.gatewayPaymentId}) IN (
    SELECT ${gateway}, ${gatewayPaymentId} ${ended})`;
  return { here, movement: received(captures, sql<number>`(SELECT ${amount} ${here})`) };
}

/** The same after those that end documents of both kinds. */
export function documentsEnded(ctx: CallCtx, captures: SQL): SQL[] {
  return moveAdvances(ctx, [removedPayment(ctx), endedReceipt(ctx), covered(captures)], true);
}
