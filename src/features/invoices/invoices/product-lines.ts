import { sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { inUnitOf, type UnitRow, unitsOf } from "#features/products";
import { quantityToWire } from "#shared/fields/numbers.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { products } from "#tables/products";
import type { InvoiceCreate } from "./schema.ts";

type Items = InvoiceCreate["items"];
export type Product = typeof products.$inferSelect;
/** What a line takes of a tracked product, in thousandths of the product's own unit. */
export type Taken = { product: Product; quantity: number };
export type FilledItem = Items[number] & { tax_rate: number };

const selectProducts = keptQuery((db, { ids }: Given<{ ids: string }>) =>
  db.select().from(products).where(sql`${products.id} IN (SELECT value FROM json_each(${ids}))`),
);

/** The queries for the products that lines name, and for the units of both. */
export function productsOf(items: Items) {
  const ids = items.flatMap(({ product_id: id }) => (id == null ? [] : [id]));
  const codes = items.map(({ unit }) => unit);
  return [selectProducts({ ids: JSON.stringify(ids) }), unitsOf(codes, ids)] as const;
}

/** The lines with what they leave out filled from the products that they name. Throws 422 for a product or a rate that is not there. */
export function fillFromProducts(items: Items, found: readonly Product[]): FilledItem[] {
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
