import { eq } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import { products } from "#tables/products";
import { type ProductRow, pagesOf, product, selectProducts } from "./record.ts";
import type { ProductQuery } from "./schema.ts";

const selectPage = pagesOf(product);
const selectById = keptStatement(({ id }: Given<{ id: number }>) => selectProducts(eq(products.id, id)));

/** Products, newest first. */
export function listProducts(
  ctx: CallCtx,
  _params: unknown,
  { page, ...filters }: ProductQuery & { page: Page },
): Promise<Listed<ProductRow>> {
  return readList(ctx, page, selectPage(page, filters));
}

export function getProduct(ctx: CallCtx, { id }: RecordParams): Promise<ProductRow> {
  return readOne(ctx, selectById({ id }));
}
