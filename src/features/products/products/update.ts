import { eq } from "drizzle-orm";
import type { WriteCtx } from "#platform/context.ts";
import { atomic, refuseIfNone } from "#platform/write/atomic.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { PRODUCT_REFERENCE_REFUSALS, requireLesson, requireProductReferences } from "./product-references.ts";
import type { ProductPatch } from "./schema.ts";
import { type ProductRow, selectProducts } from "./snapshot.ts";
import { products } from "./tables.ts";

/** Changes the fields sent. Stock, and whether it is tracked, cannot be changed here. */
export function updateProduct(ctx: WriteCtx, { id }: RecordParams, patch: ProductPatch): Promise<ProductRow> {
  const here = eq(products.id, id);
  return atomic(
    ctx,
    [
      ...requireProductReferences(patch.unit_id, patch.category_id),
      ...requireLesson(patch.lesson_product_id),
      ctx.db
        .update(products)
        .set({
          name: patch.name,
          sku: patch.sku,
          description: patch.description,
          categoryId: patch.category_id,
          unitId: patch.unit_id,
          sellingPrice: patch.selling_price,
          purchasePrice: patch.purchase_price,
          mrp: patch.mrp,
          taxRate: patch.tax_rate,
          priceIncludesTax: flag(patch.price_includes_tax),
          hsnSacCode: patch.hsn_sac_code,
          status: patch.status,
          isStorefrontVisible: flag(patch.is_storefront_visible),
          lowStockThreshold: patch.low_stock_threshold,
          durationMinutes: patch.duration_minutes,
          transmission: patch.transmission,
          isPackage: flag(patch.is_package),
          sessions: patch.sessions,
          lessonProductId: patch.lesson_product_id,
          packageDays: patch.package_days,
          metadata: patch.metadata && JSON.stringify(patch.metadata),
          updatedAt: ctx.now,
        })
        .where(here),
      refuseIfNone("not_found"),
    ],
    selectProducts(here),
    { ...PRODUCT_REFERENCE_REFUSALS, in_use: unitIsFixed },
  );
}

function unitIsFixed(): Problem {
  return new Problem("in_use", {
    message: "The product's stock is counted in its unit: make another product",
  });
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
