import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { jsonObject } from "#core/sql/json.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { advanceRemoved } from "#features/captures";
import { type ReversalDate, reversalDay, reverseEntries, TOO_EARLY } from "#features/ledger";
import { removedEarnings } from "#features/lessons";
import { restoreStock } from "#features/products";
import type { RecordParams } from "#shared/fields/ids.ts";
import { moneyOnWire, moneyToWire, quantityOnWire, quantityToWire } from "#shared/fields/numbers.ts";
import { Problem } from "#shared/problem.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { gatewayCaptures } from "#tables/captures";
import { creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import { journalEntries } from "#tables/ledger";
import { payments } from "#tables/payments";
import { stockMovements } from "#tables/products";

export const VoidedInvoice = z
  .object({
    id: z.string(),
    voided: z.literal(true),
    reversal: z.object({
      reversed_at: z.string(),
      journal_entry_ids: z.array(z.string()).meta({ description: "The invoice's own entries." }),
      reversal_journal_entry_ids: z
        .array(z.string())
        .meta({ description: "The entries that reverse those of the invoice and its payments." }),
      payments_reversed: z.array(
        z.object({
          payment_id: z.string(),
          amount: moneyOnWire,
          tds_amount: moneyOnWire.describe("Tax that the payer deducted at source."),
          journal_entry_id: z.string().nullable().describe("The entry of the payment; null if it had none."),
          reversal_journal_entry_id: z.string().nullable().describe("Null where there was no entry."),
        }),
      ),
      amount_reversed: z
        .number()
        .meta({ description: "Money received on the invoice. It is not refunded through a gateway." }),
      stock_restored: z.array(
        z.object({
          product_id: z.string(),
          quantity: quantityOnWire,
          movement_id: z.string().describe("The movement of stock that was recorded."),
        }),
      ),
    }),
    warnings: z.array(z.literal("gateway_money_not_returned")).optional().meta({
      description: "A gateway still holds money that was paid for the invoice: give it back there.",
    }),
  })
  .meta({ id: "VoidedInvoice" });

const entry = alias(journalEntries, "entry");
const reversing = alias(journalEntries, "reversing");

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
  /** Whether money that a gateway took is not given back yet. */
  keeps_gateway_money: 0 | 1;
};

/**
 * Voids an invoice, unless its date is locked or filed (triggers refuse it): its entries and those of its payments are reversed, its payments removed (by a trigger), what it
 * took from stock put back. Money paid through a gateway is not sent back.
 */
export function voidInvoice(ctx: WriteCtx, { id }: RecordParams, asked: ReversalDate): Promise<VoidRow> {
  const { day, there, held } = reversalDay(ctx, asked, invoices.invoiceDate, eq(invoices.id, id));
  return atomic(
    ctx,
    [
      there,
      voidInvoices(ctx, sql`${id}`),
      refuseIfNone("invoice_voided"),
      ...held,
      ...reverseEntries(
        ctx,
        [
          { sourceType: "invoice", ids: sql`${id}` },
          { sourceType: "payment", ids: removedWith(ctx) },
          removedEarnings(ctx),
        ],
        day,
      ),
      ...advanceRemoved(ctx, day),
      restoreStock(ctx, "invoice", id),
    ],
    reversal(ctx, id),
    {
      ...TOO_EARLY,
      has_credit_notes: () => hasCreditNotes(ctx, sql`${id}`),
      period_locked: () => closed("period_locked", "The books are locked for the invoice's date"),
      return_filed: () => closed("return_filed", "The GST return of the invoice's month is filed"),
    },
  );
}

function closed(code: "period_locked" | "return_filed", why: string): Problem {
  return new Problem(code, { message: `${why}: issue a credit note instead` });
}

/** The 409 that names the invoice's credit notes. */
export async function hasCreditNotes(ctx: WriteCtx, id: SQL, message?: string): Promise<Problem> {
  const [notes] = await ctx.database.read([
    ctx.db
      .select({ id: creditNotes.id })
      .from(creditNotes)
      .where(and(sql`${creditNotes.invoiceId} = ${id}`, eq(creditNotes.status, "issued"))),
  ]);
  return new Problem("has_credit_notes", {
    ...(message === undefined ? {} : { message }),
    members: { credit_note_ids: notes.map((note) => String(note.id)) },
  });
}

/** The statement that voids the live ones of some invoices; `ids` is what stands in `IN (...)`. Their entries stay. */
export function voidInvoices(ctx: WriteCtx, ids: SQL): SQLWrapper {
  return ctx.db
    .update(invoices)
    .set({
      status: "voided",
      voidedAt: ctx.now,
      voidedBy: ctx.call.id,
      ...{ amountPaid: 0, tdsAmount: 0, amountCredited: 0, amountDue: 0, overdueSince: null },
      updatedAt: ctx.now,
    })
    .where(sql`${invoices.id} IN (${ids}) AND ${invoices.status} <> 'voided'`);
}

/** The payments that went with the invoice. */
function removedWith(ctx: CallCtx): SQL {
  return sql`SELECT ${payments.id} FROM ${payments} WHERE ${payments.removedBy} = ${ctx.call.id}`;
}

function reversal(ctx: CallCtx, id: number): SQL<VoidRow> {
  const mine = ctx.call.id;
  const { sourceType, sourceId, reversalOf, operation } = journalEntries;
  const ofInvoice = sql`${sourceType} = 'invoice' AND ${sourceId} = ${id} AND ${reversalOf} IS NULL`;
  const ofPayment = sql`${entry.sourceType} = 'payment' AND ${entry.sourceId} = ${payments.id} AND ${entry.reversalOf} IS NULL`;
  const paid = jsonObject({
    ...{ id: payments.id, amount: payments.amount, tds_amount: payments.tdsAmount },
    ...{ entry_id: entry.id, reversal_id: reversing.id },
  });
  const { productId, quantity, id: movementId } = stockMovements;
  const restored = jsonObject({ product_id: productId, quantity, movement_id: movementId });
  return sql`SELECT json_object(
    'id', ${id},
    'reversed_at', ${ctx.now},
    'journal_entry_ids', (
      SELECT json_group_array(id) FROM (
        SELECT ${journalEntries.id} AS id FROM ${journalEntries} WHERE ${ofInvoice} ORDER BY ${journalEntries.id})
    ),
    'reversal_journal_entry_ids', (
      SELECT json_group_array(id) FROM (
        SELECT ${journalEntries.id} AS id FROM ${journalEntries}
        WHERE ${operation} = ${mine} AND ${reversalOf} IS NOT NULL ORDER BY ${journalEntries.id})
    ),
    'payments', (
      SELECT json_group_array(json(paid)) FROM (
        SELECT ${paid} AS paid FROM ${payments}
        LEFT JOIN ${journalEntries} AS ${entry} ON ${ofPayment}
        LEFT JOIN ${journalEntries} AS ${reversing} ON ${reversing.reversalOf} = ${entry.id}
        WHERE ${payments.removedBy} = ${mine} ORDER BY ${payments.id}
      )
    ),
    'stock', (
      SELECT json_group_array(json(restored)) FROM (
        SELECT ${restored} AS restored FROM ${stockMovements}
        WHERE ${stockMovements.operation} = ${mine} ORDER BY ${stockMovements.id}
      )
    ),
    'keeps_gateway_money', EXISTS (
      SELECT 1 FROM ${payments} JOIN ${gatewayCaptures} USING (gateway, gateway_payment_id)
      WHERE ${payments.removedBy} = ${mine} AND ${gatewayCaptures.advanceAmount} > 0
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
    ...(row.keeps_gateway_money === 1 && { warnings: ["gateway_money_not_returned" as const] }),
  };
}
