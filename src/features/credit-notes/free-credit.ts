import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { creditNotes } from "./tables.ts";

const all = alias(creditNotes, "all_notes");

/** What gateways gave back by themselves of the invoice of a note, without a note that covers it. */
export const uncovered = sql<number>`(SELECT coalesce(sum(owed), 0) FROM uncovered_refunds_of_invoices AS refund
  WHERE refund.invoice_id = credit_notes.invoice_id)`;
/** The unused credit of a note, as far as its gateways have not given it back by themselves. */
export const freeCredit = sql<number>`max(0, min(credit_notes.unapplied_amount, (SELECT sum(${all.unappliedAmount})
  FROM ${creditNotes} AS ${all} WHERE ${all.invoiceId} = credit_notes.invoice_id) - ${uncovered}))`;
