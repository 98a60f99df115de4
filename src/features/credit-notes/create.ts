import { eq, getTableColumns, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { atomic } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { closedDate, reasonUnposted } from "#features/ledger";
import { inUnitOf, type UnitRow } from "#features/products";
import type { RecordParams } from "#shared/fields/ids.ts";
import { moneyToWire, quantityToWire } from "#shared/fields/numbers.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { profile } from "#tables/company";
import { invoiceItems, invoices } from "#tables/invoices";
import { products, units } from "#tables/products";
import { type CreditedLine, insertCreditNote, issuedBy, type Returned } from "./issue.ts";
import { type IssuedRow, selectIssued } from "./record.ts";
import type { CreditNoteCreate } from "./schema.ts";
import { creditedLines } from "./tables.ts";
import { isTimeBarred } from "./time-bar.ts";

type Line = Awaited<ReturnType<typeof look>>["lines"][number];
type Product = typeof products.$inferSelect;

const selectInvoice = keptQuery((db, { id }: Given<{ id: number }>) =>
  db
    .select({ ...getTableColumns(invoices), unposted: reasonUnposted("invoice", sql`${invoices.id}`) })
    .from(invoices)
    .where(eq(invoices.id, id)),
);
const selectLines = keptQuery((db, { id }: Given<{ id: number }>) =>
  db
    .select({
      id: invoiceItems.id,
      productId: invoiceItems.productId,
      unit: invoiceItems.unit,
      quantityLeft: sql<number>`${invoiceItems.quantity} - coalesce(${creditedLines.creditedQuantity}, 0)`,
      taxableLeft: sql<number>`${invoiceItems.taxableValue} - coalesce(${creditedLines.creditedTaxable}, 0)`,
    })
    .from(invoiceItems)
    .leftJoin(creditedLines, eq(creditedLines.invoiceItemId, invoiceItems.id))
    .where(eq(invoiceItems.invoiceId, id))
    .orderBy(invoiceItems.position),
);
const selectPrefix = keptQuery((db) => db.select({ prefix: profile.creditNotePrefix }).from(profile));
const selectTracked = keptQuery((db, { id }: Given<{ id: number }>) =>
  db
    .select()
    .from(products)
    .where(sql`${products.trackStock} = 1 AND ${products.id} IN (
    SELECT ${invoiceItems.productId} FROM ${invoiceItems} WHERE ${invoiceItems.invoiceId} = ${id})`),
);
const selectUnits = keptQuery((db) => db.select().from(units));

/** Credits lines of an invoice by quantity or amount, or all that is left; the database judges what is left. */
export async function createCreditNote(
  ctx: Ctx,
  { id }: RecordParams,
  body: CreditNoteCreate,
): Promise<IssuedRow> {
  const { invoice, lines, prefix, tracked, known } = await look(ctx, id);
  const noteDate = dateOf(ctx, body, invoice.invoiceDate);
  const { items, restock } = body;
  const asked = items === undefined ? allLeft(lines, restock ? tracked : []) : linesAsked(items, lines);
  const returned = restock ? returnedBy(asked, lines, tracked, known, items !== undefined) : [];
  const goodsOnly =
    restock && asked.every((one) => lines.find(({ id: line }) => line === one.id)?.taxableLeft === 0);
  const isLate = invoice.taxTotal > 0 && isTimeBarred(ctx.company.country, invoice.invoiceDate, noteDate);
  return atomic(
    ctx,
    insertCreditNote(ctx, {
      invoice,
      prefix,
      noteDate,
      reason: body.reason,
      reasonText: body.reason_text ?? null,
      withTax: body.with_tax ?? !isLate,
      goodsOnly,
      ofUnposted: invoice.unposted !== null,
      metadata: JSON.stringify(body.metadata ?? {}),
      lines: asked,
      returned,
    }),
    selectIssued(issuedBy(ctx)),
    {
      ...closedDate("note_date"),
      credit_exceeds_invoice: () => exceeds(ctx, id, asked),
      limit_reached: () =>
        new Problem("limit_reached", { message: "The invoice has 100 credit notes, the most it may have" }),
      credit_note_has_value: () => fieldProblem("items", "too_small", "credit no value"),
    },
  );
}

async function look(ctx: Ctx, id: number) {
  const [[invoice], lines, [seller], tracked, known] = await read(ctx, [
    selectInvoice({ id }),
    selectLines({ id }),
    selectPrefix({}),
    selectTracked({ id }),
    selectUnits({}),
  ]);
  if (invoice === undefined || seller === undefined) throw new Problem("not_found");
  if (invoice.status === "voided") throw new Problem("invoice_voided");
  return { invoice, lines, prefix: seller.prefix, tracked, known };
}

/** The date that is sent, else today. Throws 422 for one before the invoice or after today. */
function dateOf(ctx: Ctx, { note_date: sent }: CreditNoteCreate, invoiceDate: string): string {
  const today = companyToday(ctx);
  if (sent !== undefined && sent > today)
    throw fieldProblem("note_date", "too_big", "must not be after today");
  const date = sent ?? (invoiceDate > today ? invoiceDate : today);
  if (date < invoiceDate) throw fieldProblem("note_date", "too_small", "must not be before the invoice date");
  return date;
}

/** What is left of each line: value, or goods of these products. */
function allLeft(lines: readonly Line[], returning: readonly Product[]): CreditedLine[] {
  const left = lines.filter(
    (line) => line.quantityLeft > 0 && (line.taxableLeft > 0 || stockedBy(line, returning) !== undefined),
  );
  if (left.length === 0)
    throw new Problem("credit_exceeds_invoice", { message: "Nothing is left to credit" });
  return left.map(({ id, quantityLeft }) => ({ id, quantity: quantityLeft, taxable: null }));
}

function stockedBy({ productId }: Line, tracked: readonly Product[]): Product | undefined {
  return tracked.find(({ id }) => id === productId);
}

/** The lines asked for. Throws 422 for a line twice, of another invoice, or with less left than asked. */
function linesAsked(items: NonNullable<CreditNoteCreate["items"]>, lines: readonly Line[]): CreditedLine[] {
  const seen = new Set<number>();
  return items.map(({ invoice_item_id: id, quantity, taxable_amount: taxable }, index) => {
    const field = `items[${index}].invoice_item_id`;
    const line = lines.find((one) => one.id === id);
    if (line === undefined) throw fieldProblem(field, "not_found", "names no line of the invoice");
    if (seen.has(id)) throw fieldProblem(field, "duplicate", "is named twice");
    seen.add(id);
    if ((quantity ?? 0) > line.quantityLeft || (taxable ?? 0) > line.taxableLeft)
      throw moreThanLeft(line, index);
    return { id, quantity: quantity ?? null, taxable: taxable ?? null };
  });
}

function moreThanLeft(line: Line, index: number): Problem {
  const { message, details } = fieldProblem(`items[${index}]`, "too_big", "is more than is left of the line");
  const { id, quantityLeft, taxableLeft } = line;
  const left = { quantity_left: quantityToWire(quantityLeft), taxable_left: moneyToWire(taxableLeft) };
  return new Problem("credit_exceeds_invoice", {
    ...details,
    message,
    members: { invoice_item_id: String(id), ...left },
  });
}

/** The 422 that names the first line of which less is left now than the note asks for. */
async function exceeds(ctx: ReadCtx, id: number, asked: readonly CreditedLine[]): Promise<Problem> {
  const [lines] = await ctx.database.read([selectLines({ id })]);
  for (const [index, { id: item, quantity, taxable }] of asked.entries()) {
    const line = lines.find((one) => one.id === item);
    if (line && ((quantity ?? 0) > line.quantityLeft || (taxable ?? 0) > line.taxableLeft))
      return moreThanLeft(line, index);
  }
  return new Problem("credit_exceeds_invoice");
}

/**
 * What returns to stock of the tracked products, each once. Throws 422 where nothing does, or nothing of a line that was
 * named, and for a unit that no longer turns into the product's.
 */
function returnedBy(
  asked: readonly CreditedLine[],
  lines: readonly Line[],
  tracked: readonly Product[],
  known: readonly UnitRow[],
  isNamed: boolean,
): Returned[] {
  const returned = new Map<number, number>();
  for (const [index, { id, quantity }] of asked.entries()) {
    const line = lines.find((one) => one.id === id);
    const product = line && stockedBy(line, tracked);
    if (line === undefined || product === undefined || quantity === null) {
      if (isNamed)
        throw notStocked(
          `items[${index}] ${quantity === null ? "has no quantity" : "is of no tracked product"}`,
        );
      continue;
    }
    const own = inUnitOf(product, { unit: line.unit, quantity }, known, `items[${index}]`);
    returned.set(product.id, (returned.get(product.id) ?? 0) + own);
  }
  if (returned.size === 0) throw notStocked("no line is of a tracked product");
  return [...returned].map(([productId, quantity]) => ({ productId, quantity }));
}

function notStocked(why: string): Problem {
  return fieldProblem("restock", "not_stocked", `must be false, because ${why}`);
}
