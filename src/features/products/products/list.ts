import type { CallCtx } from "#core/context.ts";
import { readList } from "#core/sql/read-records.ts";
import type { Listed, Page } from "#shared/page.ts";
import type { ProductQuery } from "./schema.ts";
import { type ProductRow, selectProductPage } from "./snapshot.ts";

/** Products, newest first. */
export async function listProducts(
  ctx: CallCtx,
  _params: unknown,
  { page, ...filters }: ProductQuery & { page: Page },
): Promise<Listed<ProductRow>> {
  return readList(ctx, page, selectProductPage(page, filters));
}
