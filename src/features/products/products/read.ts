import { and, eq, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { hasExternalId } from "#core/sql/external-id.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { createdIn, equalTo, isByChange, type Placed, readNarrowed, within } from "#core/sql/narrowed.ts";
import { readList } from "#core/sql/read-records.ts";
import type { Listed, Page } from "#shared/page.ts";
import { products } from "#tables/products";
import { isFound, type ProductRow, pagesOf, product } from "./record.ts";
import type { ProductQuery } from "./schema.ts";

const selectPage = pagesOf(product);
export const selectProduct = keptStatement(({ id }: Given<{ id: number }>) =>
  product.select(eq(products.id, id)),
);

/** Products: newest first, or by the order that the query names. */
export function listProducts(
  ctx: CallCtx,
  _params: unknown,
  query: ProductQuery & { page: Page },
): Promise<Listed<Placed<ProductRow>>> {
  const { q, page } = query;
  const created = createdIn(ctx, products.createdAt, query);
  if (q === undefined || isByChange(query))
    return readNarrowed(
      ctx,
      { resource: "product", table: products, select: product.select },
      query,
      [created],
      equalTo(products, query, "category_id"),
      q === undefined ? undefined : isFound(q),
    );
  const own = hasExternalId("product", products.id, query.external_id);
  const only = and(sql`true`, created && within(created), own);
  return readList(ctx, page, selectPage(page, query, sql`AND ${only}`));
}
