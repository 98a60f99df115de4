import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { companyToday } from "#core/calendar.ts";
import type { Changes, Ctx, ReadCtx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { atomic } from "#core/write/atomic.ts";
import { ofOwnRecord } from "#core/write/events.ts";
import { read } from "#core/write/replay.ts";
import { isLive } from "#features/customers";
import { closedDate } from "#features/ledger";
import { inUnitOf, type UnitRow, unitsOf } from "#features/products";
import { idReference } from "#shared/fields/ids.ts";
import { metadata } from "#shared/fields/metadata.ts";
import { money, percent, quantity, quantityToWire, unitPrice } from "#shared/fields/numbers.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { stateName } from "#shared/places/states.ts";
import { type FieldProblem, fieldProblem, Problem } from "#shared/problem.ts";
import { addDays, isoDate } from "#shared/time/dates.ts";
import { customers } from "#tables/customers";
import { products } from "#tables/products";
import { computeTotals, type LineTotals, placeOfSupply, supplyType } from "../tax/gst.ts";
import { insertInvoice, issuedBy, type NewItem, type Product, type Taken } from "./insert.ts";
import { customerOnInvoice, selectSeller } from "./parties.ts";
import { type IssuedRow, selectIssued } from "./record.ts";

const MOST_ITEMS = 200;
const WITHOUT_STOCK: Changes["names"] = ["invoice"];

const hsnSacCode = z.string().regex(/^(?:[0-9]{4}|[0-9]{6}|[0-9]{8})$/, "must be 4, 6 or 8 digits");

/** Whether the line has a rate, or a product that has one. Checked of lines with other errors too. */
function hasRate(item: { tax_rate?: unknown; product_id?: unknown } | null): boolean {
  return item?.tax_rate != null || item?.product_id != null;
}

const InvoiceItemCreate = z
  .object({
    item_name: cleanText({ min: 1, max: 255 }),
    quantity: quantity(),
    unit: cleanText({ min: 1, max: 20 }).meta({
      description: "A unit code such as NOS or KGS, or your own.",
    }),
    unit_price: unitPrice().meta({ description: "Before tax, in rupees." }),
    tax_rate: percent().nullish().meta({
      description: "The whole GST rate, in percent. Optional with a `product_id` whose product has a rate.",
    }),
    product_id: idReference
      .nullable()
      .optional()
      .meta({ description: "Links the line to the stock of a product." }),
    description: cleanMultilineText({ max: 1_000 }).nullable().optional(),
    hsn_sac_code: hsnSacCode.nullable().optional().meta({ description: "Default: the product's." }),
    discount_amount: money()
      .optional()
      .meta({ description: "The discount on the line before tax. At most quantity times price." }),
  })
  .refine(hasRate, {
    path: ["tax_rate"],
    params: { code: "required" },
    error: "is required",
    when: ({ value }) => typeof value === "object",
  });

export const InvoiceCreate = z.object({
  customer_id: idReference,
  items: z.array(InvoiceItemCreate).min(1).max(MOST_ITEMS),
  invoice_date: isoDate.optional().meta({
    description:
      "Default: today in the company's time zone. From 2000-04-01, and at most a year ahead, because invoice numbers name the financial year by two digits.",
  }),
  due_date: isoDate
    .optional()
    .meta({ description: "Default: the invoice date plus the customer's payment terms." }),
  place_of_supply: z
    .string()
    .refine((code) => stateName(code) !== undefined, {
      params: { code: "invalid_state" },
      error: "must be the two-digit GST code of a state",
    })
    .optional()
    .meta({ description: "Default: from the customer's GSTIN or state." }),
  currency: z
    .string()
    .refine((code) => code === "INR", { params: { code: "currency_not_supported" }, error: "must be INR" })
    .optional(),
  reference_number: cleanText({ max: 100 }).nullable().optional(),
  notes: cleanMultilineText({ max: 2_000 }).nullable().optional(),
  terms: cleanMultilineText({ max: 5_000 }).nullable().optional(),
  apply_round_off: z.boolean().default(true).meta({ description: "Rounds the total to whole rupees." }),
  metadata: metadata.optional(),
});

export type InvoiceCreate = z.infer<typeof InvoiceCreate>;
type Items = InvoiceCreate["items"];
type FilledItem = Items[number] & { tax_rate: number };

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
  const own = taken.length === 0 ? ofOwnRecord(ctx, WITHOUT_STOCK) : ofOwnRecord(ctx);
  return atomic(own, issued.statements, selectIssued(ctx, sql`WHERE ${issuedBy(ctx)}`), {
    customer_gone: customerGone,
    insufficient_stock: () => shortage(ctx, taken),
    ...closedDate("invoice_date"),
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

const selectProducts = keptQuery((db, { ids }: Given<{ ids: string }>) =>
  db.select().from(products).where(sql`${products.id} IN (SELECT value FROM json_each(${ids}))`),
);

/** The queries for the products that lines name, and for the units of both. */
function productsOf(items: Items) {
  const ids = items.flatMap(({ product_id: id }) => (id == null ? [] : [id]));
  const codes = items.map(({ unit }) => unit);
  return [selectProducts({ ids: JSON.stringify(ids) }), unitsOf(codes, ids)] as const;
}

/** The lines with what they leave out filled from the products that they name. Throws 422 for a product or a rate that is not there. */
function fillFromProducts(items: Items, found: readonly Product[]): FilledItem[] {
  const known = new Map(found.map((product) => [product.id, product]));
  return items.map((item, index) => {
    const product = item.product_id == null ? undefined : known.get(item.product_id);
    if (item.product_id != null && product === undefined)
      throw fieldProblem(`items[${index}].product_id`, "not_found", "names no product");
    const rate = item.tax_rate ?? (product?.hasTaxRate === 1 ? product.taxRate : undefined);
    if (rate === undefined)
      throw fieldProblem(`items[${index}].tax_rate`, "required", "is required: the product has none");
    return { ...item, tax_rate: rate, hsn_sac_code: item.hsn_sac_code ?? product?.hsnSacCode ?? null };
  });
}

/** What the lines take from stock. Throws 422 for a unit that does not turn into the product's. */
function takenBy(items: Items, found: readonly Product[], units: readonly UnitRow[]): Taken[] {
  const tracked = new Map(
    found.filter((product) => product.trackStock === 1).map((product) => [product.id, product]),
  );
  return items.flatMap((item, index) => {
    const product = item.product_id == null ? undefined : tracked.get(item.product_id);
    return product === undefined
      ? []
      : [{ product, quantity: inUnitOf(product, item, units, `items[${index}]`) }];
  });
}

/** The 409 that names the first product of which the lines want more than there is. */
async function shortage(ctx: ReadCtx, taken: readonly Taken[]): Promise<Problem> {
  const ids = taken.map(({ product }) => product.id);
  const [found] = await ctx.database.read([selectProducts({ ids: JSON.stringify(ids) })]);
  const short = found.find((product) => wanted(taken, product.id) > product.currentStock);
  const members = short && { product_id: String(short.id), available: quantityToWire(short.currentStock) };
  return new Problem("insufficient_stock", members === undefined ? {} : { members });
}

function wanted(taken: readonly Taken[], productId: number): number {
  return taken.reduce((sum, { product, quantity }) => (product.id === productId ? sum + quantity : sum), 0);
}
