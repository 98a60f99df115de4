import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, ReadCtx } from "#core/context.ts";
import { added, amount, described, flag, from, internal, percentage } from "#core/sql/fields.ts";
import { once } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { isTaxed, pagesOf, priceWithTax, productSource } from "#features/products";
import { idReference, recordId } from "#shared/fields/ids.ts";
import { moneyOnWire, moneyToWire, quantityOnWire, quantityToWire } from "#shared/fields/numbers.ts";
import { searchText } from "#shared/fields/text.ts";
import type { Listed, Page } from "#shared/page.ts";
import { profile } from "#tables/company";
import { categories, products, units } from "#tables/products";

const CatalogueParams = z.object({ productId: recordId });
const CatalogueQuery = z.object({
  q: searchText.optional().meta({ description: "Part of the name or SKU; case is ignored." }),
  category_id: idReference.optional(),
});

type Priced = { price: number; tax_rate: number; price_includes_tax: number; is_taxed: number };
type Home = Pick<ReadCtx, "company">;
type Filed = { category_id: number | null; category_name: string | null };
type Stocked = { track_stock: number; stock: number; sold_below_zero: number };

/** What a shop may know of a product: never what it cost. Half of a product, and of what reading one costs. */
const catalogueProduct = record(
  products,
  {
    id: z.int(),
    name: z.string(),
    sku: z.string().nullable(),
    description: z.string().nullable(),
    price: from(products.sellingPrice, amount),
    price_with_tax: added(
      moneyOnWire.meta({ description: "What a buyer in the company's own state pays for one." }),
      ({ price: selling_price, ...taxed }: Priced, { company }: Home) =>
        moneyToWire(priceWithTax({ ...taxed, selling_price }, company.country)),
    ),
    is_taxed: internal(isTaxed),
    currency: added(z.string(), (_row: object, { company }: Home) => company.currency),
    tax_rate: described(percentage, "In percent."),
    price_includes_tax: flag,
    hsn_sac_code: z.string().nullable(),
    unit: from(units.code, z.string()),
    category_id: internal<number | null>(),
    category_name: internal(sql<string | null>`${categories.name}`),
    category: added(
      z.object({ id: z.int(), name: z.string() }).nullable(),
      ({ category_id: id, category_name: name }: Filed) => (id === null ? null : { id, name: name ?? "" }),
    ),
    product_type: z.enum(["goods", "service"]),
    track_stock: internal<number>(),
    stock: internal(products.currentStock),
    sold_below_zero: internal(
      sql<number>`(SELECT ${profile.allowNegativeStock} FROM ${profile} WHERE ${profile.id} = 1)`,
    ),
    in_stock: added(
      z.boolean(),
      (row: Stocked) => row.track_stock === 0 || row.sold_below_zero === 1 || row.stock > 0,
    ),
    available_quantity: added(
      quantityOnWire.nullable().meta({ description: "Null if stock is not tracked." }),
      (row: Stocked) => (row.track_stock === 1 ? quantityToWire(Math.max(0, row.stock)) : null),
    ),
    image_url: added(z.null().describe("Reserved: always null."), () => null),
  },
  "CatalogueProduct",
  productSource,
);
type CatalogueRow = RowOf<typeof catalogueProduct>;

export const catalogueRoutes = new Router("Storefront", "/products", { record: catalogueProduct })
  .list({ listCatalogue }, "/", {
    summary: "List the catalogue",
    description: "Active products that are visible in the storefront, newest first.",
    query: CatalogueQuery,
    cacheControl: "private, max-age=30",
    isKept: true,
  })
  .get(
    { getCatalogueProduct: (ctx, { productId }) => readOne(ctx, selectOnSale({ productId })) },
    "/:productId",
    {
      summary: "Read a product of the catalogue",
      params: CatalogueParams,
      cacheControl: "private, max-age=30",
      isKept: true,
    },
  );

const lesson = alias(products, "lesson");

/** What a shop may show and sell: no package of a lesson that is not given any more. */
export const isOnSale: SQL = sql`${products.status} = 'active' AND ${products.isStorefrontVisible} = 1
  AND NOT (${products.isPackage} = 1 AND EXISTS (
    SELECT 1 FROM ${products} AS ${lesson} WHERE ${lesson.id} = ${products.lessonProductId} AND ${lesson.status} <> 'active'))`;

const selectPage = pagesOf(catalogueProduct);
const andOnSale = once(() => sql`AND ${isOnSale}`);

/** The products on sale, newest first. */
async function listCatalogue(
  ctx: CallCtx,
  _params: unknown,
  { page, ...filters }: z.output<typeof CatalogueQuery> & { page: Page },
): Promise<Listed<CatalogueRow>> {
  return readList(ctx, page, selectPage(page, filters, andOnSale()));
}

const selectOnSale = keptStatement(({ productId }: Given<{ productId: number }>) =>
  catalogueProduct.select(sql`${eq(products.id, productId)} AND ${isOnSale}`),
);
