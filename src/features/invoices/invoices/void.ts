import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { reverseEntries } from "#features/ledger";
import { restoreStock } from "#features/products";
import type { CallCtx, WriteCtx } from "#platform/context.ts";
import { atomic, refuseIfNone, refuseWhen } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { moneyToWire, quantityToWire } from "#shared/fields/numbers.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { journalEntries } from "#tables/ledger";
import { payments } from "#tables/payments";
import { stockMovements } from "#tables/products";
import { invoices } from "../tables.ts";

/** What a void took back, as the database holds it. */
export type VoidRow = {
  id: number;
  reversed_at: number;
  journal_entry_ids: number[];
  reversal_journal_entry_ids: number[];
  payments: {
    id: number;
    amount: number;
    tds_amount: number;
    entry_id: number | null;
    reversal_id: number | null;
  }[];
  stock: { product_id: number; quantity: number; movement_id: number }[];
};

/**
 * Voids an invoice: its entries and those of its payments are reversed, its payments removed (by a trigger), what it
 * took from stock put back. Money paid through a gateway is not sent back.
 */
export function voidInvoice(ctx: WriteCtx, { id }: RecordParams): Promise<VoidRow> {
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (SELECT 1 FROM ${invoices} WHERE ${invoices.id} = ${id})`, "not_found"),
      ctx.db
        .update(invoices)
        .set({
          status: "voided",
          voidedAt: ctx.now,
          voidedBy: ctx.operation.id,
          ...{ amountPaid: 0, tdsAmount: 0, amountDue: 0 },
          updatedAt: ctx.now,
        })
        .where(and(eq(invoices.id, id), ne(invoices.status, "voided"))),
      refuseIfNone("invoice_voided"),
      ...reverseEntries(ctx, entriesOf(ctx, id)),
      ...restoreStock(ctx, "invoice", id),
    ],
    reversal(ctx, id),
  );
}

/** The entries of the invoice and of the payments that went with it, as a condition on `original`. */
function entriesOf(ctx: CallCtx, id: number): SQL {
  const removed = sql`SELECT ${payments.id} FROM ${payments} WHERE ${payments.removedBy} = ${ctx.operation.id}`;
  return sql`((original.source_type = 'invoice' AND original.source_id = ${id})
    OR (original.source_type = 'payment' AND original.source_id IN (${removed})))`;
}

function reversal(ctx: CallCtx, id: number): SQL<VoidRow> {
  const mine = ctx.operation.id;
  const ofInvoice = sql`${journalEntries.sourceType} = 'invoice' AND ${journalEntries.sourceId} = ${id}
    AND ${journalEntries.reversalOf} IS NULL`;
  const ofPayment = sql`entry.source_type = 'payment' AND entry.source_id = payment.id AND entry.reversal_of IS NULL`;
  return sql`SELECT json_object(
    'id', ${id},
    'reversed_at', ${ctx.now},
    'journal_entry_ids', (
      SELECT json_group_array(id) FROM (SELECT id FROM ${journalEntries} WHERE ${ofInvoice} ORDER BY id)
    ),
    'reversal_journal_entry_ids', (
      SELECT json_group_array(id) FROM (
        SELECT id FROM ${journalEntries} WHERE ${journalEntries.operation} = ${mine} ORDER BY id)
    ),
    'payments', (
      SELECT json_group_array(json_object(
        'id', id, 'amount', amount, 'tds_amount', tds_amount, 'entry_id', entry_id, 'reversal_id', reversal_id
      )) FROM (
        SELECT payment.id, payment.amount, payment.tds_amount, entry.id AS entry_id, reversal.id AS reversal_id
        FROM ${payments} payment
        LEFT JOIN ${journalEntries} entry ON ${ofPayment}
        LEFT JOIN ${journalEntries} reversal ON reversal.reversal_of = entry.id
        WHERE payment.removed_by = ${mine} ORDER BY payment.id
      )
    ),
    'stock', (
      SELECT json_group_array(json_object('product_id', product_id, 'quantity', quantity, 'movement_id', id)) FROM (
        SELECT id, product_id, quantity FROM ${stockMovements} WHERE ${stockMovements.operation} = ${mine} ORDER BY id
      )
    )
  ) AS snapshot`;
}

export function renderVoid(row: VoidRow) {
  const paid = row.payments.reduce((sum, payment) => sum + payment.amount, 0);
  return {
    id: String(row.id),
    voided: true as const,
    reversal: {
      reversed_at: timestampToWire(row.reversed_at),
      journal_entry_ids: row.journal_entry_ids.map(String),
      reversal_journal_entry_ids: row.reversal_journal_entry_ids.map(String),
      payments_reversed: row.payments.map((payment) => ({
        payment_id: String(payment.id),
        amount: moneyToWire(payment.amount),
        tds_amount: moneyToWire(payment.tds_amount),
        journal_entry_id: payment.entry_id === null ? null : String(payment.entry_id),
        reversal_journal_entry_id: payment.reversal_id === null ? null : String(payment.reversal_id),
      })),
      amount_reversed: moneyToWire(paid),
      stock_restored: row.stock.map((movement) => ({
        product_id: String(movement.product_id),
        quantity: quantityToWire(movement.quantity),
        movement_id: String(movement.movement_id),
      })),
    },
  };
}
