import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { creditNotes } from "#tables/credit-notes";

const all = alias(creditNotes, "all_notes");

/** What gateways gave back by themselves of the invoice of a note, without a note that covers it. */
export const uncovered = sql<number>`(SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices AS refund
  WHERE refund.invoice_id = credit_notes.invoice_id)`;
/** The unused credit of a note, as far as its gateways have not given it back by themselves. */
export const freeCredit = sql<number>`max(0, min(credit_notes.unapplied_amount, (SELECT sum(${all.unappliedAmount})
  FROM ${creditNotes} AS ${all} WHERE ${all.invoiceId} = credit_notes.invoice_id) - ${uncovered}))`;

/** The columns that give the notes of an invoice with unused credit, as JSON, oldest first, their credit, and what no note covers. */
export function creditOf(invoiceId: SQL<number | null>) {
  const ofInvoice = sql`${all} WHERE ${all.invoiceId} = ${invoiceId} AND ${all.unappliedAmount} > 0`;
  return {
    notes: sql<string>`(SELECT json_group_array(id) FROM (SELECT ${all.id} AS id FROM ${creditNotes} AS ${ofInvoice} ORDER BY ${all.id}))`,
    unused: sql<number>`(SELECT coalesce(sum(${all.unappliedAmount}), 0) FROM ${creditNotes} AS ${ofInvoice})`,
    uncovered: sql<number>`(SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices AS refund
      WHERE refund.invoice_id = ${invoiceId})`,
  };
}
