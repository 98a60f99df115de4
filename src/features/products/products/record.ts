import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { ReadCtx } from "#core/context.ts";
import { externalIdField, withExternalId } from "#core/sql/external-id.ts";
import {
  added,
  amount,
  described,
  flag,
  from,
  idText,
  instant,
  internal,
  json,
  nullable,
  percentage,
  thousandths,
} from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { containsText, isIndexed, matchOf } from "#core/sql/text-search.ts";
import { metadata } from "#shared/fields/metadata.ts";
import { quantityOnWire, quantityToWire } from "#shared/fields/numbers.ts";
import { GST_TREATMENTS, type GstTreatment } from "#shared/gst/treatments.ts";
import { idBelow, type Page } from "#shared/page.ts";
import { categories, products, units } from "#tables/products";
import { unit } from "../units/units.ts";

type Filed = { category_id: number | null; category_name: string | null };
type Measured = { unit_id: number; unit_code: string; unit_name: string };
type Stocked = { track_stock: number; stock: number };

/** Where products are selected from, with their units and categories. */
export const productSource = once(
  () => sql`${products}
    JOIN ${units} ON ${units.id} = ${products.unitId}
    LEFT JOIN ${categories} ON ${categories.id} = ${products.categoryId}`,
);

/** A product with the names of its unit and category. */
export const product = record(
  products,
  {
    id: idText,
    external_id: externalIdField("product", products.id),
    name: z.string().describe("The name on invoices and in the shop."),
    sku: z.string().nullable(),
    description: z.string().nullable().describe("What invoices and the shop say of it."),
    product_type: z.enum(["goods", "service"]),
    category_id: nullable(idText),
    category_name: internal(sql<string | null>`${categories.name}`),
    category: added(
      z.object({ id: z.string(), name: z.string() }).nullable(),
      ({ category_id: id, category_name: name }: Filed) =>
        id === null ? null : { id: String(id), name: name ?? "" },
    ),
    unit_id: idText,
    unit_code: internal(units.code),
    unit_name: internal(units.name),
    unit: added(unit.schema, ({ unit_id: id, unit_code: code, unit_name: name }: Measured) =>
      unit.render({ id, code, name }),
    ),
    selling_price: amount,
    purchase_price: nullable(amount),
    mrp: described(nullable(amount), "Maximum retail price."),
    currency: added(z.string(), (_row: object, { company }: Pick<ReadCtx, "company">) => company.currency),
    tax_rate: described(percentage, "0 if none was set."),
    gst_treatment: from(
      sql<GstTreatment>`coalesce(${products.gstTreatment}, CASE WHEN ${products.taxRate} > 0 THEN 'taxable' ELSE 'nil_rated' END)`,
      z.enum(GST_TREATMENTS).describe("`taxable`, or why no GST is charged."),
    ),
    price_includes_tax: flag,
    hsn_sac_code: z.string().nullable(),
    status: z.enum(["active", "inactive"]),
    is_storefront_visible: flag,
    track_stock: flag,
    is_batch_tracked: flag,
    opening_stock: thousandths,
    low_stock_threshold: described(nullable(thousandths), "Stock at or below which it counts as low."),
    stock: internal(products.currentStock),
    current_stock: added(
      quantityOnWire.nullable().describe("The sum of its movements. Null if stock is not tracked."),
      (row: Stocked) => (row.track_stock === 1 ? quantityToWire(row.stock) : null),
    ),
    duration_minutes: z.int().nullable().describe("How long one lesson takes."),
    transmission: z.enum(["auto", "manual"]).nullable(),
    is_package: described(flag, "Whether several lessons are sold as one."),
    sessions: z.int().nullable().describe("Lessons in the package."),
    lesson_product_id: described(nullable(idText), "The lesson that the package holds."),
    package_days: z.int().nullable().describe("Days for which the package can be used; null for no limit."),
    metadata: json(metadata),
    created_at: instant,
    updated_at: instant,
  },
  "Product",
  productSource,
);
export type ProductRow = RowOf<typeof product>;

/** The data of product events, with the stock. */
export const productResource = resource({
  name: "product",
  scope: "products:read",
  record: product,
  select: (_ctx, id) => product.select(sql`${products.id} = ${id}`),
  upgrades: [withExternalId],
});

/** A record of products, with what is shown of their units and categories. */
type Shown<Row> = { columns: () => SQL<Row>; select: (tail: SQL) => SQL<Row> };
type Filters = { q?: string | undefined; category_id?: number | undefined };
type Place = { below: number; take: number; which: SQL };
const SEARCHED = [products.name, products.sku];

/** Whether a product matches `q`, as a condition. */
export function isFound(q: string): SQL {
  if (!isIndexed(q)) return containsText(q, SEARCHED);
  return sql`${products.id} IN (SELECT rowid FROM products_search WHERE products_search MATCH ${matchOf(q)})`;
}

/** The SELECT of a page of products, newest first; those that match the filters and the condition `only`. */
export function pagesOf<Row>(shown: Shown<Row>): (page: Page, filters: Filters, only?: SQL) => SQL<Row> {
  const selectNewest = keptStatement(({ below, take, which }: Given<Place>) =>
    shown.select(sql`${products.id} < ${below} ${which} ORDER BY ${products.id} DESC LIMIT ${take}`),
  );
  const selectFound = keptStatement(
    ({ below, take, which, phrase }: Given<Place & { phrase: string }>) => sql<Row>`
      SELECT ${shown.columns()} AS snapshot FROM products_search CROSS JOIN ${productSource()}
      WHERE products_search MATCH ${phrase} AND products_search.rowid < ${below}
        AND ${products.id} = products_search.rowid ${which}
      ORDER BY products_search.rowid DESC LIMIT ${take}`,
  );
  return (page, { q, category_id: categoryId }, only = sql``) => {
    const inCategory =
      categoryId === undefined ? only : sql`${only} AND ${products.categoryId} = ${categoryId}`;
    const place = { below: idBelow(page), take: page.take };
    if (q === undefined) return selectNewest({ ...place, which: inCategory });
    if (isIndexed(q)) return selectFound({ ...place, which: inCategory, phrase: matchOf(q) });
    return selectNewest({ ...place, which: sql`${inCategory} AND ${containsText(q, SEARCHED)}` });
  };
}
