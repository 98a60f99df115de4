import { and, eq, sql } from "drizzle-orm";
import { companyToday } from "#core/calendar.ts";
import type { Ctx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { atomic } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { isLive } from "#features/customers";
import { type FieldProblem, fieldProblem, Problem } from "#shared/problem.ts";
import { addDays } from "#shared/time/dates.ts";
import { customers } from "#tables/customers";
import { placeOfSupply, supplyType } from "../tax/place-of-supply.ts";
import { computeTotals, type LineTotals } from "../tax/totals.ts";
import { insertInvoice, issuedBy, type NewItem } from "./insert.ts";
import { customerOnInvoice, selectSeller } from "./parties-on-invoice.ts";
import { type FilledItem, fillFromProducts, productsOf, shortage, takenBy } from "./product-lines.ts";
import type { InvoiceCreate } from "./schema.ts";
import { type IssuedRow, selectIssued } from "./snapshot.ts";

/** As `invoice_date_has_a_series` has it. */
const FIRST_DATE = "2000-04-01";

const selectBuyer = keptQuery((db, { id }: Given<{ id: number }>) =>
  db
    .select()
    .from(customers)
    .where(and(eq(customers.id, id), isLive)),
);

/** Issues an invoice: numbered, taxed by its place of supply, and posted to the books, in one step. */
export async function createInvoice(ctx: Ctx, _params: unknown, body: InvoiceCreate): Promise<IssuedRow> {
  const [[buyer], [seller], stocked, units] = await read(ctx, [
    selectBuyer({ id: body.customer_id }),
    selectSeller({}),
    ...productsOf(body.items),
  ]);
  if (buyer === undefined) throw customerGone();
  if (seller === undefined) throw new Error("The company has no profile");
  const items = fillFromProducts(body.items, stocked);
  const taken = takenBy(items, stocked, units);

  const invoiceDate = dateOfInvoice(ctx, body);
  const dueDate = body.due_date ?? addDays(invoiceDate, buyer.paymentTermsDays);
  if (dueDate < invoiceDate) throw fieldProblem("due_date", "too_small", "must not be before invoice_date");
  const place = placeOfSupply(seller, buyer, body.place_of_supply);
  const supply = supplyType(seller, buyer, place);
  const computed = computeTotals(items, supply, body.apply_round_off);
  if (!computed.ok) throw amountsProblem(computed.problems);
  const { lines, totals } = computed;

  const issued = insertInvoice(ctx, {
    seller,
    customerId: buyer.id,
    customer: JSON.stringify(customerOnInvoice(buyer)),
    currency: "INR",
    invoiceDate,
    dueDate,
    place,
    supply,
    items: items.map((item, index) => newItem(index, item, lines[index])),
    totals,
    sold: { lines: taken, type: "sale", allowNegative: seller.allowNegativeStock === 1 },
    more: {
      referenceNumber: body.reference_number ?? null,
      notes: body.notes ?? null,
      terms: body.terms ?? null,
      metadata: JSON.stringify(body.metadata ?? {}),
    },
  });
  return atomic(ctx, issued.statements, selectIssued(ctx, sql`WHERE ${issuedBy(ctx)}`), {
    customer_gone: customerGone,
    insufficient_stock: () => shortage(ctx, taken),
  });
}

/** The date that is sent, else today. Throws 422 for one whose series could be that of another century. */
function dateOfInvoice(ctx: Ctx, { invoice_date: sent }: InvoiceCreate): string {
  const today = companyToday(ctx);
  const date = sent ?? today;
  if (date < FIRST_DATE) throw fieldProblem("invoice_date", "too_small", `must not be before ${FIRST_DATE}`);
  // Dates compare as strings, so that of a leap day needs no rounding.
  const last = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
  if (date > last) throw fieldProblem("invoice_date", "too_big", "must be at most a year ahead");
  return date;
}

function newItem(index: number, item: FilledItem, line: LineTotals | undefined): NewItem {
  if (line === undefined) throw new Error(`Line ${index} has no totals`);
  return {
    productId: item.product_id ?? null,
    itemName: item.item_name,
    description: item.description ?? null,
    hsnSacCode: item.hsn_sac_code ?? null,
    quantity: item.quantity,
    unit: item.unit,
    unitPrice: item.unit_price,
    discountAmount: line.discountMinor,
    taxableValue: line.taxableMinor,
    taxRate: item.tax_rate,
    cgstAmount: line.cgstMinor,
    sgstAmount: line.sgstMinor,
    igstAmount: line.igstMinor,
  };
}

function amountsProblem(errors: FieldProblem[]): Problem {
  const [first] = errors;
  return new Problem("validation_failed", { message: `${first?.field} ${first?.message}`, errors });
}

function customerGone(): Problem {
  return fieldProblem("customer_id", "not_found", "names no customer");
}
