import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { isClosedOn, reasonUnposted } from "#features/ledger";
import { Problem } from "#shared/problem.ts";
import { profile } from "#tables/company";
import { creditedLines } from "#tables/credit-notes";
import { invoiceItems, invoices } from "#tables/invoices";
import { products, units } from "#tables/products";
import { roundedSoFar } from "./round-off.ts";

/** An invoice, by its id or by a SELECT of it. */
type InvoiceId = number | SQL<number>;

const selectInvoice = keptQuery((db, { id }: Given<{ id: InvoiceId }>) =>
  db
    .select({
      ...getTableColumns(invoices),
      unposted: reasonUnposted("invoice", sql`${invoices.id}`),
      isClosed: isClosedOn(invoices.invoiceDate),
      roundOffLeft: sql<number>`(SELECT round_off - given FROM (${roundedSoFar(id)}))`,
    })
    .from(invoices)
    .where(eq(invoices.id, id)),
);
const tax = sql`(${invoiceItems.cgstAmount} + ${invoiceItems.sgstAmount} + ${invoiceItems.igstAmount})`;
const taxableLeft = sql<number>`${invoiceItems.taxableValue} - coalesce(${creditedLines.creditedTaxable}, 0)`;
// What was credited without tax leaves more tax than a note over the rest may give back.
const taxLeft = sql<number>`iif(coalesce(${creditedLines.untaxedTaxable}, 0) = 0,
  ${tax} - coalesce(${creditedLines.creditedCgst} + ${creditedLines.creditedSgst} + ${creditedLines.creditedIgst}, 0),
  CAST(1.0 * ${tax} * (${taxableLeft}) / ${invoiceItems.taxableValue} AS INTEGER))`;
/** The query for the lines of an invoice, with what is left of each. */
export const selectLines = keptQuery((db, { id }: Given<{ id: InvoiceId }>) =>
  db
    .select({
      id: invoiceItems.id,
      productId: invoiceItems.productId,
      unit: invoiceItems.unit,
      quantityLeft: sql<number>`${invoiceItems.quantity} - coalesce(${creditedLines.creditedQuantity}, 0)`,
      taxableLeft,
      taxLeft,
      position: invoiceItems.position,
    })
    .from(invoiceItems)
    .leftJoin(creditedLines, eq(creditedLines.invoiceItemId, invoiceItems.id))
    .where(eq(invoiceItems.invoiceId, id))
    .orderBy(invoiceItems.position),
);
const selectPrefix = keptQuery((db) => db.select({ prefix: profile.creditNotePrefix }).from(profile));
const selectTracked = keptQuery((db, { id }: Given<{ id: InvoiceId }>) =>
  db
    .select()
    .from(products)
    .where(sql`${products.trackStock} = 1 AND ${products.id} IN (
    SELECT ${invoiceItems.productId} FROM ${invoiceItems} WHERE ${invoiceItems.invoiceId} = ${id})`),
);
const selectUnits = keptQuery((db) => db.select().from(units));

/** The queries of one read batch for what a credit note is planned from. */
export function creditNoteQueries(id: InvoiceId) {
  return [
    selectInvoice({ id }),
    selectLines({ id }),
    selectPrefix({}),
    selectTracked({ id }),
    selectUnits({}),
  ] as const;
}
type AnswersTo<Queries extends readonly unknown[]> = { [Place in keyof Queries]: Awaited<Queries[Place]> };

/** What was found; throws what says why no note is issued. */
export function foundFor([[invoice], lines, [seller], tracked, known]: AnswersTo<
  ReturnType<typeof creditNoteQueries>
>) {
  if (invoice === undefined || seller === undefined) throw new Problem("not_found");
  if (invoice.status === "voided") throw new Problem("invoice_voided");
  return { invoice, lines, prefix: seller.prefix, tracked, known };
}
export type Found = ReturnType<typeof foundFor>;
