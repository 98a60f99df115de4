import { type SQL, sql } from "drizzle-orm";
import { jsonObject } from "#core/sql/json.ts";
import { creditApplications, creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";
import { gatewayRefunds } from "#tables/refunds";

const sum = (column: SQL | typeof creditNotes.id) => sql<number>`coalesce(sum(${column}), 0)`;
const refunds = (
  which: SQL,
) => sql`(SELECT coalesce(sum(${gatewayRefunds.amount} - ${gatewayRefunds.advanceAmount} - ${gatewayRefunds.coveredAmount}), 0)
  FROM ${gatewayRefunds} WHERE ${gatewayRefunds.creditNoteId} = ${creditNotes.id} AND ${which})`;

const MONEY_OF_NOTES = {
  credited: sum(sql`${creditNotes.totalAmount}`),
  /** What took off the amount due of this invoice, and of any. */
  appliedHere: sum(sql`(SELECT coalesce(sum(${creditApplications.amount}), 0) FROM ${creditApplications}
    WHERE ${creditApplications.creditNoteId} = ${creditNotes.id} AND ${creditApplications.removedAt} IS NULL
      AND ${creditApplications.invoiceId} = ${invoices.id})`),
  applied: sum(sql`${creditNotes.appliedAmount}`),
  paidOut: sum(sql`${creditNotes.paidOutAmount}`),
  onItsWay: sum(refunds(sql`${gatewayRefunds.status} IN ('created', 'pending')`)),
  refunded: sum(
    refunds(sql`${gatewayRefunds.status} = 'succeeded' AND ${gatewayRefunds.source} <> 'chargeback'`),
  ),
  charged: sum(
    refunds(sql`${gatewayRefunds.status} = 'succeeded' AND ${gatewayRefunds.source} = 'chargeback'`),
  ),
  unused: sum(sql`${creditNotes.unappliedAmount}`),
};

/** What became of the credit of an invoice's own notes, in minor units. */
export type MoneyOfNotes = Record<keyof typeof MONEY_OF_NOTES, number>;

/** The SELECT of what became of the credit of the notes of the invoices of a condition. */
export function selectMoneyOfNotes(where: SQL): SQL<MoneyOfNotes> {
  return sql<MoneyOfNotes>`SELECT ${jsonObject(MONEY_OF_NOTES)} AS snapshot FROM ${invoices}
    JOIN ${creditNotes} ON ${creditNotes.invoiceId} = ${invoices.id} AND ${creditNotes.status} = 'issued' ${where}`;
}
