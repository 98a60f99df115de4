import { type SQL, sql } from "drizzle-orm";
import { creditedLines } from "#tables/credit-notes";
import { invoiceItems } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";

// The product of two amounts is above 2^63, so the second factor is taken in two parts of six digits.
const PART = 1_000_000;

/** `a * b / c`, rounded half up, exactly, of amounts that are not negative; null where `c` is 0. */
function shareOf(a: string, b: string, c: string): string {
  const high = `${a} * (${b} / ${PART})`;
  const rest = `((${high}) % ${c} * ${PART} + ${a} * (${b} % ${PART}))`;
  return `((${high}) / ${c} * ${PART} + (2 * ${rest} + ${c}) / (2 * ${c}))`;
}

/**
 * A head of a line: its share up to the value credited after the note, less that before it. What closes the line takes
 * what is left of the head, unless some of the line was credited without tax. Never more than is left.
 */
function headOf(head: string): string {
  const left = `(${head}_amount - credited_${head})`;
  const share = `${shareOf(`${head}_amount`, "after", "line_taxable")} - ${shareOf(`${head}_amount`, "before", "line_taxable")}`;
  return `CASE WHEN with_tax = 0 OR line_taxable = 0 OR taxable = 0 THEN 0
    WHEN after = line_taxable AND untaxed = 0 THEN ${left} ELSE max(0, min(${left}, ${share})) END`;
}

const share = sql.raw(shareOf("taxable_left", "quantity", "quantity_left"));
const [cgst, sgst, igst] = ["cgst", "sgst", "igst"].map((head) => sql.raw(headOf(head)));

/**
 * The values that a note takes of the lines asked for, by what is credited of them so far. `asked` is JSON: for each line
 * `id` and `quantity` (thousandths) or `taxable` (minor units). More than is left breaks the CHECK of the line.
 */
export function creditedValues(asked: string | SQL, invoiceId: number, withTax: number): SQL {
  return sql`SELECT position, item_id, quantity, taxable, max(0, min(taxable, unearned)) AS unearned, ${cgst} AS cgst, ${sgst} AS sgst, ${igst} AS igst
    FROM (SELECT *, ${withTax} AS with_tax, before + taxable AS after FROM (
      SELECT *, coalesce(asked_taxable, iif(quantity_left = 0, 0, ${share})) AS taxable FROM (
        SELECT asked.key + 1 AS position, ${invoiceItems.id} AS item_id,
          asked.value ->> '$.quantity' AS quantity, asked.value ->> '$.taxable' AS asked_taxable,
          ${invoiceItems.taxableValue} AS line_taxable,
          ${invoiceItems.quantity} - coalesce(${creditedLines.creditedQuantity}, 0) AS quantity_left,
          ${invoiceItems.taxableValue} - coalesce(${creditedLines.creditedTaxable}, 0) AS taxable_left,
          coalesce(${creditedLines.creditedTaxable}, 0) AS before,
          coalesce(${creditedLines.untaxedTaxable}, 0) AS untaxed,
          coalesce(${lessonSales.amount} - ${lessonSales.earnedAmount} - ${lessonSales.creditedAmount}, 0) AS unearned,
          ${invoiceItems.cgstAmount} AS cgst_amount, coalesce(${creditedLines.creditedCgst}, 0) AS credited_cgst,
          ${invoiceItems.sgstAmount} AS sgst_amount, coalesce(${creditedLines.creditedSgst}, 0) AS credited_sgst,
          ${invoiceItems.igstAmount} AS igst_amount, coalesce(${creditedLines.creditedIgst}, 0) AS credited_igst
        FROM json_each(${asked}) AS asked
        JOIN ${invoiceItems} ON ${invoiceItems.id} = asked.value ->> '$.id' AND ${invoiceItems.invoiceId} = ${invoiceId}
        LEFT JOIN ${creditedLines} ON ${creditedLines.invoiceItemId} = ${invoiceItems.id}
        LEFT JOIN ${lessonSales} ON ${lessonSales.invoiceId} = ${invoiceItems.invoiceId}
          AND ${lessonSales.line} = ${invoiceItems.position}
      )
    ))`;
}
