import { eq } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { jsonQuery, parseRows } from "#platform/json.ts";
import { read } from "#platform/operation-memory.ts";
import { Problem } from "#shared/problem.ts";
import type { ProductParams } from "./schema.ts";
import { type ProductRow, selectProducts } from "./snapshot.ts";
import { products } from "./tables.ts";

export async function getProduct(ctx: Ctx, { id }: ProductParams): Promise<ProductRow> {
  const [rows] = await read(ctx, [jsonQuery(ctx, selectProducts(eq(products.id, id)))]);
  const [product] = parseRows(rows);
  if (product === undefined) throw new Problem("not_found");
  return product;
}
