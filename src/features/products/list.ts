import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import type { Page } from "#shared/page.ts";
import type { ProductQuery } from "./schema.ts";
import { type ProductRow, selectProductPage } from "./snapshot.ts";

/** Products, newest first. */
export async function listProducts(
  ctx: Ctx,
  _params: unknown,
  { page, ...filters }: ProductQuery & { page: Page },
): Promise<ProductRow[]> {
  const [rows] = await read(ctx, [jsonQuery(ctx, selectProductPage(page, filters))]);
  return parseRows(rows);
}
