import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { CallCtx, ReadCtx } from "#core/context.ts";
import { once } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { priceWithTax, type ShownProductRow, selectShownPage, selectShownProducts } from "#features/products";
import { moneyToWire, percentToWire, quantityToWire } from "#shared/fields/numbers.ts";
import type { Listed, Page } from "#shared/page.ts";
import { products } from "#tables/products";
import type { CatalogueParams, CatalogueQuery } from "./schema.ts";

const lesson = alias(products, "lesson");

/** What a shop may show and sell: no package of a lesson that is not given any more. */
export const isOnSale: SQL = sql`${products.status} = 'active' AND ${products.isStorefrontVisible} = 1
  AND NOT (${products.isPackage} = 1 AND EXISTS (
    SELECT 1 FROM ${products} AS ${lesson} WHERE ${lesson.id} = ${products.lessonProductId} AND ${lesson.status} <> 'active'))`;

const andOnSale = once(() => sql`AND ${isOnSale}`);

/** The products on sale, newest first. */
export async function listCatalogue(
  ctx: CallCtx,
  _params: unknown,
  { page, ...filters }: CatalogueQuery & { page: Page },
): Promise<Listed<ShownProductRow>> {
  return readList(ctx, page, selectShownPage(page, filters, andOnSale()));
}

/** One product on sale. Throws 404 for any other. */
export async function getCatalogueProduct(
  ctx: CallCtx,
  { productId }: CatalogueParams,
): Promise<ShownProductRow> {
  return readOne(ctx, selectOnSale({ productId }));
}

const selectOnSale = keptStatement(({ productId }: Given<{ productId: number }>) =>
  selectShownProducts(sql`${eq(products.id, productId)} AND ${isOnSale}`),
);

/** What a shop may know of a product: never what it cost. */
export function renderCatalogueProduct(row: ShownProductRow, ctx: ReadCtx) {
  const tracked = row.track_stock === 1;
  return {
    id: row.id,
    name: row.name,
    sku: row.sku,
    description: row.description,
    price: moneyToWire(row.selling_price),
    price_with_tax: moneyToWire(priceWithTax(row)),
    currency: ctx.company.currency,
    tax_rate: percentToWire(row.tax_rate),
    price_includes_tax: row.price_includes_tax === 1,
    hsn_sac_code: row.hsn_sac_code,
    unit: row.unit_code,
    category: row.category_id === null ? null : { id: row.category_id, name: row.category_name ?? "" },
    product_type: row.product_type,
    in_stock: !tracked || row.sold_below_zero === 1 || row.current_stock > 0,
    available_quantity: tracked ? quantityToWire(Math.max(0, row.current_stock)) : null,
    image_url: null,
  };
}
