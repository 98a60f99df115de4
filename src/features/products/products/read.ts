import { and, eq, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { hasExternalId } from "#core/sql/external-id.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { createdIn, isByChange, type Placed, readNarrowed, within } from "#core/sql/narrowed.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import { products } from "#tables/products";
import { isFound, type ProductRow, pagesOf, product, selectProducts } from "./record.ts";
import type { ProductQuery } from "./schema.ts";

const selectPage = pagesOf(product);
const selectById = keptStatement(({ id }: Given<{ id: number }>) => selectProducts(eq(products.id, id)));

/** Products: newest first, or by the order that the query names. */
export function listProducts(
  ctx: CallCtx,
  _params: unknown,
  query: ProductQuery & { page: Page },
): Promise<Listed<Placed<ProductRow>>> {
  const { q, category_id: category, page } = query;
  const created = createdIn(ctx, products.createdAt, query);
  if (q === undefined || isByChange(query)) {
    const inCategory = category === undefined ? undefined : eq(products.categoryId, category);
    return readNarrowed(
      ctx,
      { resource: "product", table: products, select: selectProducts },
      query,
      [created],
      inCategory,
      q === undefined ? undefined : isFound(q),
    );
  }
  const own = hasExternalId("product", products.id, query.external_id);
  const only = and(sql`true`, created && within(created), own);
  return readList(ctx, page, selectPage(page, query, sql`AND ${only}`));
}

export function getProduct(ctx: CallCtx, { id }: RecordParams): Promise<ProductRow> {
  return readOne(ctx, selectById({ id }));
}
