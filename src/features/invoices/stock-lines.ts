import { inArray, type SQL } from "drizzle-orm";
import { sellStock } from "#features/products";
import type { Ctx } from "#platform/context.ts";
import { quantityToWire } from "#shared/numbers.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { products } from "#tables/products";
import type { InvoiceCreate } from "./schema.ts";

type Items = InvoiceCreate["items"];
type Product = typeof products.$inferSelect;

/** The query for the products that lines name. */
export function productsOf(ctx: Ctx, items: Items) {
  const ids = items.flatMap(({ product_id: id }) => (id == null ? [] : [id]));
  return ctx.db.select().from(products).where(inArray(products.id, ids));
}

/** Throws the 422 for a line that names no product. */
export function requireProducts(items: Items, found: readonly Product[]): void {
  const known = new Set(found.map((product) => product.id));
  const index = items.findIndex(({ product_id: id }) => id != null && !known.has(id));
  if (index >= 0) throw fieldProblem(`items[${index}].product_id`, "not_found", "names no product");
}

/** The statements that take each line of a tracked product from stock. */
export function takeFromStock(
  ctx: Ctx,
  items: Items,
  found: readonly Product[],
  sale: { allowNegative: boolean; invoiceId: SQL<number> },
): SQL[] {
  const tracked = new Map(
    found.filter((product) => product.trackStock === 1).map((product) => [product.id, product]),
  );
  return items.flatMap(({ product_id: id, quantity }) => {
    const product = id == null ? undefined : tracked.get(id);
    if (product === undefined) return [];
    return sellStock(ctx, {
      productId: product.id,
      quantity,
      batchTracked: product.isBatchTracked === 1,
      allowNegative: sale.allowNegative,
      type: "sale",
      referenceType: "invoice",
      referenceId: sale.invoiceId,
    });
  });
}

/** The 409 that names the first product of which the lines want more than there is. */
export async function shortage(ctx: Ctx, items: Items): Promise<Problem> {
  const [found] = await ctx.database.read([productsOf(ctx, items)]);
  const short = found.find(
    (product) => product.trackStock === 1 && wanted(items, product.id) > product.currentStock,
  );
  const members = short && { product_id: String(short.id), available: quantityToWire(short.currentStock) };
  return new Problem("insufficient_stock", members === undefined ? {} : { members });
}

function wanted(items: Items, productId: number): number {
  return items.reduce((sum, item) => (item.product_id === productId ? sum + item.quantity : sum), 0);
}
