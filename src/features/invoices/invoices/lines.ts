import { sql } from "drizzle-orm";
import * as z from "zod";
import type { ReadCtx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { inUnitOf, type UnitRow, unitsOf } from "#features/products";
import { idReference } from "#shared/fields/ids.ts";
import { money, percent, quantity, quantityToWire, unitPrice } from "#shared/fields/numbers.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";
import { notRegistered } from "#shared/gst/registration.ts";
import { GST_TREATMENTS, type GstTreatment, treatmentOf } from "#shared/gst/treatments.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { products } from "#tables/products";
import { isServiceLine } from "../tax/place-of-supply.ts";
import type { Product, Taken } from "./insert.ts";

const hsnSacCode = z.string().regex(/^(?:[0-9]{4}|[0-9]{6}|[0-9]{8})$/, "must be 4, 6 or 8 digits");

/** A line of an invoice to issue. */
export const InvoiceItemCreate = z.object({
  item_name: cleanText({ min: 1, max: 255 }),
  quantity: quantity(),
  unit: cleanText({ min: 1, max: 20 }).describe("A unit code such as NOS or KGS, or your own."),
  unit_price: unitPrice().meta({ description: "Before tax, in rupees." }),
  tax_rate: percent().meta({ description: "The whole GST rate, in percent." }),
  product_id: idReference.nullable().optional().describe("Links the line to the stock of a product."),
  description: cleanMultilineText({ max: 1_000 }).nullable().optional(),
  hsn_sac_code: hsnSacCode.nullable().optional().meta({ description: "Default: the product's." }),
  gst_treatment: z.enum(GST_TREATMENTS).nullish().meta({
    description:
      "Default: the product's if the line has no tax, else `taxable` with a rate and `nil_rated` without one.",
  }),
  discount_amount: money()
    .optional()
    .meta({ description: "The discount on the line before tax. At most quantity times price." }),
});

type Items = readonly z.infer<typeof InvoiceItemCreate>[];
export type FilledItem = Items[number] & {
  gst_treatment: GstTreatment;
  is_service: boolean;
};

const selectProducts = keptQuery((db, { ids }: Given<{ ids: string }>) =>
  db.select().from(products).where(sql`${products.id} IN (SELECT value FROM json_each(${ids}))`),
);

/** The queries for the products that lines name, and for the units of both. */
export function productsOf(items: Items) {
  const ids = items.flatMap(({ product_id: id }) => (id == null ? [] : [id]));
  const codes = items.map(({ unit }) => unit);
  return [selectProducts({ ids: JSON.stringify(ids) }), unitsOf(codes, ids)] as const;
}

/** The lines with what they leave out filled from the products that they name. Throws 422 for a product that is not there. */
export function fillFromProducts(items: Items, found: readonly Product[]): FilledItem[] {
  const known = new Map(found.map((product) => [product.id, product]));
  return items.map((item, index) => {
    const product = item.product_id == null ? undefined : known.get(item.product_id);
    if (item.product_id != null && product === undefined)
      throw fieldProblem(`items[${index}].product_id`, "not_found", "names no product");
    const code = item.hsn_sac_code ?? product?.hsnSacCode ?? null;
    const isService = isServiceLine(code, product?.productType);
    const treatment = treatmentOfLine(item, product, index);
    return { ...item, hsn_sac_code: code, gst_treatment: treatment, is_service: isService };
  });
}

/** The treatment that the line names, else its product's where that has no tax either, else that of its rate. */
function treatmentOfLine(
  { gst_treatment: named, tax_rate: rate }: Items[number],
  product: Product | undefined,
  index: number,
): GstTreatment {
  if (rate > 0 && named != null && named !== "taxable")
    throw fieldProblem(`items[${index}].gst_treatment`, "rate_not_zero", "has no tax, so its rate must be 0");
  return treatmentOf(rate, named ?? (rate === 0 && product?.taxRate === 0 ? product.gstTreatment : null));
}

/** Throws the 422 for a line with tax by a company that may charge none. */
export function refuseTax(items: readonly FilledItem[]): void {
  const index = items.findIndex((item) => item.tax_rate > 0);
  if (index >= 0) throw notRegistered(`items[${index}].tax_rate`);
}

/** What the lines take from stock. Throws 422 for a unit that does not turn into the product's. */
export function takenBy(items: Items, found: readonly Product[], units: readonly UnitRow[]): Taken[] {
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
export async function shortage(ctx: ReadCtx, taken: readonly Taken[]): Promise<Problem> {
  const ids = taken.map(({ product }) => product.id);
  const [found] = await ctx.database.read([selectProducts({ ids: JSON.stringify(ids) })]);
  const short = found.find((product) => wanted(taken, product.id) > product.currentStock);
  const members = short && { product_id: String(short.id), available: quantityToWire(short.currentStock) };
  return new Problem("insufficient_stock", members === undefined ? {} : { members });
}

function wanted(taken: readonly Taken[], productId: number): number {
  return taken.reduce((sum, { product, quantity }) => (product.id === productId ? sum + quantity : sum), 0);
}
