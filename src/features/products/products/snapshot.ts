import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { containsText, isIndexed, phraseOf } from "#core/sql/text-search.ts";
import { moneyToWire, percentToWire, quantityToWire } from "#shared/fields/numbers.ts";
import { idBelow, type Page } from "#shared/page.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { profile } from "#tables/company";
import { categories } from "../categories/tables.ts";
import { units } from "../units/tables.ts";
import { products } from "./tables.ts";

const SEARCHED = [products.name, products.sku];

// What a shop shows is all that its lists read: half of a record, and of what reading it costs.
const shownShape = {
  id: products.id,
  name: products.name,
  sku: products.sku,
  description: products.description,
  product_type: products.productType,
  category_id: products.categoryId,
  category_name: sql<string | null>`${categories.name}`,
  unit_code: units.code,
  selling_price: products.sellingPrice,
  tax_rate: products.taxRate,
  price_includes_tax: products.priceIncludesTax,
  hsn_sac_code: products.hsnSacCode,
  track_stock: products.trackStock,
  current_stock: products.currentStock,
  sold_below_zero: sql<number>`(SELECT ${profile.allowNegativeStock} FROM ${profile} WHERE ${profile.id} = 1)`,
};
const shape = {
  ...shownShape,
  unit_id: products.unitId,
  unit_name: units.name,
  purchase_price: products.purchasePrice,
  mrp: products.mrp,
  status: products.status,
  is_storefront_visible: products.isStorefrontVisible,
  is_batch_tracked: products.isBatchTracked,
  opening_stock: products.openingStock,
  low_stock_threshold: products.lowStockThreshold,
  duration_minutes: products.durationMinutes,
  transmission: products.transmission,
  is_package: products.isPackage,
  sessions: products.sessions,
  lesson_product_id: products.lessonProductId,
  package_days: products.packageDays,
  metadata: sql<Record<string, string>>`json(${products.metadata})`,
  created_at: products.createdAt,
  updated_at: products.updatedAt,
};
/** A product as the database holds it, with the names of its unit and category. */
export type ProductRow = JsonRow<typeof shape>;
/** What a shop shows of a product. */
export type ShownProductRow = JsonRow<typeof shownShape>;

const columns = once(() => jsonObject(shape));
const shownColumns = once(() => jsonObject(shownShape));
const source = once(
  () => sql`${products}
    JOIN ${units} ON ${units.id} = ${products.unitId}
    LEFT JOIN ${categories} ON ${categories.id} = ${products.categoryId}`,
);

/** The SELECT of products; `tail` goes on after WHERE. */
export function selectProducts(tail: SQL): SQL<ProductRow> {
  return select(columns, tail);
}

/** The SELECT of what a shop shows of products. */
export function selectShownProducts(tail: SQL): SQL<ShownProductRow> {
  return select(shownColumns, tail);
}

/** The SELECT of a page of products, newest first; those that match the filters and the condition `only`. */
export const selectProductPage = pagesOf(columns);
/** The SELECT of a page of what a shop shows. */
export const selectShownPage = pagesOf(shownColumns);

function select<Row>(of: () => SQL<Row>, tail: SQL): SQL<Row> {
  return sql`SELECT ${of()} AS snapshot FROM ${source()} WHERE ${tail}`;
}

type Filters = { q?: string | undefined; category_id?: number | undefined };
type Place = { below: number; take: number; which: SQL };

function pagesOf<Row>(of: () => SQL<Row>): (page: Page, filters: Filters, only?: SQL) => SQL<Row> {
  const selectNewest = keptStatement(({ below, take, which }: Given<Place>) =>
    select(of, sql`${products.id} < ${below} ${which} ORDER BY ${products.id} DESC LIMIT ${take}`),
  );
  const selectFound = keptStatement(
    ({ below, take, which, phrase }: Given<Place & { phrase: string }>) => sql<Row>`
      SELECT ${of()} AS snapshot FROM products_search CROSS JOIN ${source()}
      WHERE products_search MATCH ${phrase} AND products_search.rowid < ${below}
        AND ${products.id} = products_search.rowid ${which}
      ORDER BY products_search.rowid DESC LIMIT ${take}`,
  );
  return (page, { q, category_id: categoryId }, only = sql``) => {
    const inCategory =
      categoryId === undefined ? only : sql`${only} AND ${products.categoryId} = ${categoryId}`;
    const place = { below: idBelow(page), take: page.take };
    if (q === undefined) return selectNewest({ ...place, which: inCategory });
    if (isIndexed(q)) return selectFound({ ...place, which: inCategory, phrase: phraseOf(q) });
    return selectNewest({ ...place, which: sql`${inCategory} AND ${containsText(q, SEARCHED)}` });
  };
}

export function renderProduct(row: ProductRow, ctx: ReadCtx) {
  const {
    category_name: categoryName,
    unit_code: code,
    unit_name: unitName,
    sold_below_zero: _,
    ...rest
  } = row;
  const categoryId = row.category_id === null ? null : String(row.category_id);
  const unitId = String(row.unit_id);
  return {
    ...rest,
    id: String(row.id),
    category_id: categoryId,
    category: categoryId === null ? null : { id: categoryId, name: categoryName ?? "" },
    unit_id: unitId,
    unit: { id: unitId, code, name: unitName },
    selling_price: moneyToWire(row.selling_price),
    purchase_price: row.purchase_price === null ? null : moneyToWire(row.purchase_price),
    mrp: row.mrp === null ? null : moneyToWire(row.mrp),
    currency: ctx.company.currency,
    tax_rate: percentToWire(row.tax_rate),
    price_includes_tax: row.price_includes_tax === 1,
    is_storefront_visible: row.is_storefront_visible === 1,
    track_stock: row.track_stock === 1,
    is_batch_tracked: row.is_batch_tracked === 1,
    opening_stock: quantityToWire(row.opening_stock),
    low_stock_threshold: row.low_stock_threshold === null ? null : quantityToWire(row.low_stock_threshold),
    current_stock: row.track_stock === 1 ? quantityToWire(row.current_stock) : null,
    is_package: row.is_package === 1,
    lesson_product_id: row.lesson_product_id === null ? null : String(row.lesson_product_id),
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
