import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { ofOwnRecord } from "#core/write/events.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { products } from "#tables/products";
import { PRODUCT_REFERENCE_REFUSALS, requireProductReferences } from "./product-references.ts";
import { type ProductRow, product } from "./record.ts";
import type { ProductPatch } from "./schema.ts";

/** Changes the fields sent. Stock, and whether it is tracked, cannot be changed here. */
export function updateProduct(ctx: WriteCtx, { id }: RecordParams, patch: ProductPatch): Promise<ProductRow> {
  const here = eq(products.id, id);
  return atomic(
    ofOwnRecord(ctx),
    [
      ...requireProductReferences(patch),
      ctx.db
        .update(products)
        .set({
          ...columnsOf(products, patch, ["metadata"]),
          hasTaxRate: patch.tax_rate === undefined ? undefined : 1,
          metadata: patch.metadata && JSON.stringify(patch.metadata),
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    product.select(here),
    { ...PRODUCT_REFERENCE_REFUSALS, in_use: unitIsFixed },
  );
}

function unitIsFixed(): Problem {
  return new Problem("in_use", {
    message: "The product's stock is counted in its unit: make another product",
  });
}
