import { sql } from "drizzle-orm";
import * as z from "zod";
import { from, rendered } from "#core/sql/fields.ts";
import { creditNotes } from "#tables/credit-notes";
import { invoices } from "#tables/invoices";

const CREDIT_STATUSES = ["none", "partial", "full"] as const;

/** How much of an invoice its own notes gave back. */
export const creditStatus = from(
  sql<(typeof CREDIT_STATUSES)[number]>`${invoices.creditStatus}`,
  z.enum(CREDIT_STATUSES).describe("How much of the taxable value its own credit notes gave back."),
);

/** The numbers of the notes of an invoice. */
export const creditNoteNumbers = sql<string[]>`(
  SELECT json_group_array(${creditNotes.creditNoteNumber}) FROM ${creditNotes}
  WHERE ${creditNotes.invoiceId} = ${invoices.id} AND ${creditNotes.status} = 'issued')`;

/** The notes of an invoice. */
export const creditNoteIds = from(
  sql<number[]>`(SELECT json_group_array(${creditNotes.id}) FROM ${creditNotes}
    WHERE ${creditNotes.invoiceId} = ${invoices.id} AND ${creditNotes.status} = 'issued')`,
  rendered(z.array(z.string()).describe("Its credit notes that are not voided."), (ids: number[]) =>
    ids.map(String),
  ),
);
