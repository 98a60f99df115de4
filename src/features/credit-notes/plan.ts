import { companyToday } from "#core/calendar.ts";
import type { Ctx, ReadCtx } from "#core/context.ts";
import type { Refusals } from "#core/write/atomic.ts";
import { closedDate } from "#features/ledger";
import { inUnitOf, type UnitRow } from "#features/products";
import { moneyToWire, quantityToWire } from "#shared/fields/numbers.ts";
import { sum } from "#shared/money/shares.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import type { products } from "#tables/products";
import { type Found, selectLines } from "./find-invoice.ts";
import type { CreditedLine, NewCreditNote, Returned } from "./issue.ts";
import type { CreditNoteCreate } from "./schema.ts";
import { spread } from "./spread.ts";
import { isTimeBarred } from "./time-bar.ts";

type Line = Found["lines"][number];
type Product = typeof products.$inferSelect;

/** What is asked of a note: lines, or all that is left, or an amount in all, spread over the lines or of one of them. */
export type Wanted = Omit<CreditNoteCreate, "items" | "gross_amount" | "invoice_item_id"> & {
  items?: AskedLine[] | undefined;
  amount?: number | null | undefined;
  line?: number | null | undefined;
};
type AskedLine = { id: number; quantity?: number | null | undefined; taxable?: number | null | undefined };

/** The note that is asked for; the database judges what is left. `lineField` names a line in what was sent. */
export function planCreditNote(ctx: Ctx, found: Found, body: Wanted, lineField: string): NewCreditNote {
  const { invoice, lines, prefix, tracked, known } = found;
  const { items, restock, amount, line } = body;
  const noteDate = dateOf(ctx, body, invoice.invoiceDate);
  const isLate = invoice.taxTotal > 0 && isTimeBarred(ctx.company.country, invoice.invoiceDate, noteDate);
  const withTax = body.with_tax ?? !isLate;
  const rest = line == null ? lines : [lineOf(lines, line, lineField)];
  const asked =
    items === undefined ? allLeft(rest, restock ? tracked : []) : linesAsked(items, lines, lineField);
  const returned = restock ? returnedBy(asked, lines, tracked, known, items !== undefined) : [];
  const goodsOnly =
    restock && asked.every((one) => lines.find(({ id: line }) => line === one.id)?.taxableLeft === 0);
  return {
    invoice,
    prefix,
    noteDate,
    reason: body.reason,
    reasonText: body.reason_text ?? null,
    withTax,
    goodsOnly,
    forRefund: false,
    ofUnposted: invoice.unposted !== null,
    metadata: JSON.stringify(body.metadata ?? {}),
    lines: amount == null ? asked : spread(amount, rest, { invoice, withTax }),
    total: amount ?? (withTax ? null : agreedAmount(asked)),
    returned,
  };
}

/** What the refusals of a planned note mean. */
export function creditNoteRefusals(ctx: ReadCtx, { invoice, lines }: NewCreditNote): Refusals {
  const isSpread = !Array.isArray(lines);
  return {
    ...closedDate("note_date"),
    credit_exceeds_invoice: () => exceeds(ctx, invoice.id, isSpread ? [] : lines),
    limit_reached: () =>
      new Problem("limit_reached", { message: "The invoice has 100 credit notes, the most it may have" }),
    credit_note_has_value: () =>
      isSpread
        ? new Problem("credit_exceeds_invoice")
        : fieldProblem("items", "too_small", "credit no value"),
  };
}

/** The date that is sent, else today. Throws 422 for one before the invoice or after today. */
function dateOf(ctx: Ctx, { note_date: sent }: Wanted, invoiceDate: string): string {
  const today = companyToday(ctx);
  if (sent !== undefined && sent > today)
    throw fieldProblem("note_date", "too_big", "must not be after today");
  const date = sent ?? (invoiceDate > today ? invoiceDate : today);
  if (date < invoiceDate) throw fieldProblem("note_date", "too_small", "must not be before the invoice date");
  return date;
}

/** What is left of each line: value, also where its quantity was credited, or goods of these products. */
function allLeft(lines: readonly Line[], returning: readonly Product[]): CreditedLine[] {
  const left = lines.filter(
    (line) => line.taxableLeft > 0 || (line.quantityLeft > 0 && stockedBy(line, returning) !== undefined),
  );
  if (left.length === 0)
    throw new Problem("credit_exceeds_invoice", { message: "Nothing is left to credit" });
  return left.map(({ id, quantityLeft, taxableLeft }) =>
    quantityLeft > 0
      ? { id, quantity: quantityLeft, taxable: null }
      : { id, quantity: null, taxable: taxableLeft },
  );
}

function stockedBy({ productId }: Line, tracked: readonly Product[]): Product | undefined {
  return tracked.find(({ id }) => id === productId);
}

/** The lines asked for. Throws 422 for a line twice, of another invoice, or with less left than asked. */
function linesAsked(items: AskedLine[], lines: readonly Line[], lineField: string): CreditedLine[] {
  const seen = new Set<number>();
  return items.map(({ id, quantity, taxable }, index) => {
    const field = `items[${index}].${lineField}`;
    const line = lineOf(lines, id, field);
    if (seen.has(id)) throw fieldProblem(field, "duplicate", "is named twice");
    seen.add(id);
    if ((quantity ?? 0) > line.quantityLeft || (taxable ?? 0) > line.taxableLeft)
      throw moreThanLeft(line, index);
    return { id, quantity: quantity ?? null, taxable: taxable ?? null };
  });
}

function lineOf(lines: readonly Line[], id: number, field: string): Line {
  const line = lines.find((one) => one.id === id);
  if (line === undefined) throw fieldProblem(field, "not_found", "names no line of the invoice");
  return line;
}

/** What the amounts of a commercial note come to; null where a quantity decides its value. */
function agreedAmount(asked: readonly CreditedLine[]): number | null {
  const amounts = asked.flatMap(({ taxable }) => taxable ?? []);
  return amounts.length < asked.length ? null : sum(amounts);
}

function moreThanLeft(line: Line, index: number): Problem {
  const { id, quantityLeft, taxableLeft } = line;
  const left = { quantity_left: quantityToWire(quantityLeft), taxable_left: moneyToWire(taxableLeft) };
  const members = { invoice_item_id: String(id), ...left };
  const words = "is more than is left of the line";
  return fieldProblem(`items[${index}]`, "too_big", words, "credit_exceeds_invoice", { members });
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
