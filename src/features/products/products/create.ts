import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { atomic } from "#core/write/atomic.ts";
import { ofOwnRecord } from "#core/write/events.ts";
import type { ExternalIds } from "#core/write/external-id.ts";
import { batches, products } from "#tables/products";
import { moveStock } from "../stock/movements.ts";
import { PRODUCT_REFERENCE_REFUSALS, requireProductReferences } from "./product-references.ts";
import { type ProductRow, product } from "./record.ts";
import type { ProductCreate } from "./schema.ts";

/** What callers give ids of their own to. */
export const productIds: ExternalIds = { kind: "product", table: products };

/** Creates a product. Its opening stock is its first stock movement, in a first batch where batches are tracked. */
export function createProduct(ctx: Ctx, _params: unknown, body: ProductCreate): Promise<ProductRow> {
  const here = eq(products.operation, ctx.call.id);
  const id = sql<number>`(SELECT ${products.id} FROM ${products} WHERE ${here})`;
  const tracked = body.track_stock ?? false;
  const openingStock = tracked ? (body.opening_stock ?? 0) : 0;
  return atomic(
    ofOwnRecord(ctx),
    [
      ...requireProductReferences(body),
      ctx.db.insert(products).values({
        operation: ctx.call.id,
        ...columnsOf(products, body, ["metadata", "opening_batch_number"]),
        productType: body.product_type ?? "goods",
        sellingPrice: body.selling_price ?? 0,
        taxRate: body.tax_rate ?? 0,
        hasTaxRate: Number(body.tax_rate !== undefined),
        priceIncludesTax: Number(body.price_includes_tax ?? false),
        status: body.status ?? "active",
        // A package without its lesson cannot be sold yet: it is hidden from the shop unless the caller says otherwise.
        isStorefrontVisible: Number(
          body.is_storefront_visible ?? (!body.is_package || body.lesson_product_id != null),
        ),
        trackStock: Number(tracked),
        isBatchTracked: Number(tracked && (body.is_batch_tracked ?? false)),
        openingStock,
        metadata: JSON.stringify(body.metadata ?? {}),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
      ...(openingStock === 0 ? [] : opening(ctx, body, id, openingStock)),
    ],
    product.select(here),
    PRODUCT_REFERENCE_REFUSALS,
  );
}

function opening(ctx: Ctx, body: ProductCreate, productId: SQL<number>, quantity: number): SQLWrapper[] {
  if (body.is_batch_tracked !== true) return [moveStock(ctx, { productId, type: "opening", quantity })];
  const batchNumber = body.opening_batch_number ?? sql<string>`'OPEN-' || ${productId}`;
  const batchId = sql<number>`(SELECT ${batches.id} FROM ${batches} WHERE ${batches.productId} = ${productId})`;
  return [
    ctx.db.insert(batches).values({ productId, batchNumber, createdAt: ctx.now }),
    moveStock(ctx, { productId, batchId, type: "opening", quantity }),
  ];
}
